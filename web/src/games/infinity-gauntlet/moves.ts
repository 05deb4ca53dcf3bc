// The cards that an event moves.

import type { Line } from '../../api/protocol'
import type { CardMove } from '../../table/GameUI'
import type { Role, View } from './view'

/** A card, or the back of a deck where the id is not known. */
export type Piece = { card: string | null; deck: Role }

export function moves(view: View, line: Line): CardMove<Piece>[] {
  if (typeof line.seat !== 'number') return []
  const deck = view.seats[line.seat]?.role ?? 'hero'
  const piece = { card: typeof line.card === 'string' ? line.card : null, deck }
  if (line.kind === 'drawn') return [{ piece, from: `deck-${deck}`, to: `hand-${line.seat}` }]
  if (line.kind === 'played' || line.kind === 'defeated')
    return [{ piece, from: `hand-${line.seat}`, to: `face-up-${line.seat}` }]
  return []
}
