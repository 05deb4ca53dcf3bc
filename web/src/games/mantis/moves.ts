// The cards that an event moves.

import type { Line } from '../../api/protocol'
import type { CardMove } from '../../table/GameUI'
import { frontOf } from './cards'
import type { Colour } from './view'

/** The front of a card; null is a card seen from neither side. */
export type Piece = { front: Colour | null }

/** So many cards of a stolen stack are drawn. */
const MOST_DRAWN = 3

export function moves(line: Line): CardMove<Piece>[] {
  const piece = { front: frontOf(line.card) }
  if (line.kind === 'taken') return [{ piece, from: `score-${line.target}`, to: `score-${line.seat}` }]
  if (line.kind !== 'turned') return []
  const tank = `tank-${line.target}-${piece.front}`
  const found: CardMove<Piece>[] = [{ piece, from: 'draw', to: tank }]
  if (line.matched && line.how === 'score')
    found.push({ piece, from: tank, to: `score-${line.seat}`, afterPrevious: true })
  if (line.matched && line.how === 'steal') {
    const to = line.icon === 'score-and-steal' ? `score-${line.seat}` : `tank-${line.seat}-${piece.front}`
    for (let i = 0; i < Math.min(MOST_DRAWN, Number(line.count ?? 1)); i += 1)
      found.push({ piece, from: tank, to, afterPrevious: i === 0 })
  }
  return found
}
