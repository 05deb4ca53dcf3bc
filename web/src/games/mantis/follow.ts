// The table after an event, as far as the event says. The server's next view has the rest.

import type { Line } from '../../api/protocol'
import { frontOf } from './cards'
import type { Colour, Seat, View } from './view'

const withSeat = (view: View, seat: number, change: (place: Seat) => Partial<Seat>): View => ({
  ...view,
  seats: view.seats.map((place, at) => (at === seat ? { ...place, ...change(place) } : place)),
})

const withScore = (view: View, seat: number, more: number): View =>
  withSeat(view, seat, ({ score }) => ({ score: score + more }))

const withCards = (view: View, seat: number, colour: Colour, count: (held: number) => number): View =>
  withSeat(view, seat, ({ tank }) => ({ tank: { ...tank, [colour]: count(tank[colour]) } }))

export function after(view: View, line: Line): View {
  const [seat, target, count] = [Number(line.seat), Number(line.target), Number(line.count)]
  if (line.kind === 'taken') return withScore(withScore(view, target, -1), seat, 1)
  if (line.kind === 'back') {
    const back = line.colours as Colour[]
    return { ...view, draw: { size: Number(line.size), back: back.length ? back : null } }
  }
  const colour = frontOf(line.card)
  if (line.kind !== 'turned' || !colour) return view
  if (!line.matched) return withCards(view, target, colour, (held) => held + 1)
  const robbed = withCards(view, target, colour, () => 0)
  if (line.how === 'score' || line.icon === 'score-and-steal') return withScore(robbed, seat, count)
  return withCards(robbed, seat, colour, (held) => held + count)
}
