// The table while an event is told, and after it, as far as the event says. The server's next view has the rest.

import type { Line } from '../../api/protocol'
import { stoneOf } from './stones'
import type { Role, Seat, View } from './view'

const withSeat = (view: View, seat: unknown, change: (place: Seat) => Partial<Seat>): View => ({
  ...view,
  seats: view.seats.map((place, at) => (at === seat ? { ...place, ...change(place) } : place)),
})

const withDeck = (view: View, deck: Role, more: number): View => ({
  ...view,
  decks: { ...view.decks, [deck]: view.decks[deck] + more },
})

const without = (cards: readonly string[], card: unknown) => cards.toSpliced(cards.indexOf(String(card)), 1)

const draw = (view: View, { seat, card }: Line): View =>
  withSeat(withDeck(view, view.seats[Number(seat)]!.role, -1), seat, ({ hand, hand_size }) => ({
    hand_size: hand_size + 1,
    hand: hand && [...hand, String(card)].sort(),
  }))

const takeFromHand = (view: View, { seat, card }: Line): View =>
  withSeat(view, seat, ({ hand, hand_size }) => ({ hand_size: hand_size - 1, hand: hand && without(hand, card) }))

const lay = (view: View, { seat, card }: Line): View =>
  withSeat(view, seat, ({ face_up }) => ({ face_up: [...face_up, String(card)] }))

const withTokens = (view: View, seat: unknown, more: number): View =>
  withSeat(view, seat, ({ tokens }) => ({ tokens: tokens + more }))

/** The lives that a sentence names are not still to come. */
export function during(view: View, line: Line): View {
  return line.kind === 'defeated' ? { ...view, life: { ...view.life, [String(line.side)]: Number(line.life) } } : view
}

export function after(view: View, line: Line): View {
  switch (line.kind) {
    case 'drawn':
      return draw(view, line)
    case 'played': {
      const stones = stoneOf(String(line.card)) ? [...view.stones, String(line.card)] : view.stones
      return { ...lay(takeFromHand(view, line), line), stones }
    }
    case 'defeated':
      return lay(takeFromHand(during(view, line), line), line)
    case 'shuffled-back':
      return withSeat(withDeck(view, 'thanos', 1), line.seat, ({ face_up }) => ({
        face_up: without(face_up, line.card),
      }))
    case 'new-deck':
      return withDeck(
        { ...view, seats: view.seats.map((place) => (place.role === 'hero' ? { ...place, face_up: [] } : place)) },
        'hero',
        (line.cards as string[]).length,
      )
    case 'bottom':
      return withDeck(takeFromHand(view, line), 'thanos', 1)
    case 'fight':
      return withTokens(withTokens(view, line.seat, line.hero_token ? -1 : 0), line.target, line.thanos_token ? -1 : 0)
    case 'tokens':
      return withTokens(view, line.seat, Number(line.count))
    default:
      return view
  }
}
