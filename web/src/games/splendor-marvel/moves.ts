// The cards and tokens that an event moves.

import type { Line } from '../../api/protocol'
import type { CardMove } from '../../table/GameUI'
import type { Token } from './view'

/** A token, or a character card; a card whose id is not known shows the back of its level. */
export type Piece = { token: Token } | { card: string | null; level: number }

/** The place of a card before this line: in a row, or among the reserved cards. */
export function placeBefore(log: readonly Line[], line: Line): string {
  const before = log.slice(0, log.indexOf(line)).findLast((one) => {
    if (one.kind === 'row') return (one.cards as string[]).includes(String(line.card))
    return one.card === line.card && ['refilled', 'reserved', 'reserved-blind'].includes(one.kind)
  })
  if (before?.kind === 'row') return `row-${before.level}-${(before.cards as string[]).indexOf(String(line.card))}`
  if (before?.kind === 'refilled') return `row-${before.level}-${before.place}`
  return `tokens-${line.seat}-kept`
}

export function moves(line: Line, log: readonly Line[]): CardMove<Piece>[] {
  const own = `tokens-${Number(line.seat)}`
  const level = Number(line.level ?? 1)
  const card = typeof line.card === 'string' ? line.card : null
  switch (line.kind) {
    case 'taken':
      return (line.colours as Token[]).map((token) => ({
        piece: { token },
        from: `bank-${token}`,
        to: `${own}-${token}`,
      }))
    case 'returned': {
      const token = line.token as Token
      return [{ piece: { token }, from: `${own}-${token}`, to: `bank-${token}` }]
    }
    case 'reserved':
      return [{ piece: { card, level }, from: placeBefore(log, line), to: `${own}-kept` }]
    case 'reserved-blind':
      return [{ piece: { card, level }, from: `deck-${level}`, to: `${own}-kept` }]
    case 'recruited':
      return [{ piece: { card, level }, from: placeBefore(log, line), to: `${own}-${String(line.bonus)}` }]
    case 'time-stone':
      return [{ piece: { token: 'green' }, from: 'bank-green', to: `${own}-green` }]
    default:
      return []
  }
}
