// Which cards and tokens an event moves, and between which places of the table (`data-place`).
// A hidden card flies as a back: its id is not in the event, so it cannot be on the screen.

import { mantisColours, type GemColour, type MantisColour } from '../art/signs'
import type { Line, View } from '../lib/protocol'

export type Flight = { from: string; to: string } & (
  | { kind: 'gauntlet'; card: string | null; deck: 'hero' | 'thanos' }
  | { kind: 'mantis'; front: MantisColour | null }
  | { kind: 'character'; card: string | null; level: number }
  | { kind: 'token'; colour: GemColour }
)

const text = (value: unknown) => (typeof value === 'string' ? value : null)

function mantis(line: Line): Flight[] {
  const front = mantisColours.find((colour) => text(line.card)?.startsWith(`${colour}:`)) ?? null
  if (line.kind === 'turned') {
    const flights: Flight[] = [{ kind: 'mantis', front, from: 'draw', to: `tank-${line.target}` }]
    if (line.matched && line.how === 'score')
      flights.push({ kind: 'mantis', front, from: `tank-${line.target}`, to: `score-${line.seat}` })
    if (line.matched && line.how === 'steal') {
      const end = line.icon === 'score-and-steal' ? 'score' : 'tank'
      for (let i = 0; i < Math.min(3, Number(line.count ?? 1)); i += 1)
        flights.push({ kind: 'mantis', front, from: `tank-${line.target}`, to: `${end}-${line.seat}` })
    }
    return flights
  }
  if (line.kind === 'taken')
    return [{ kind: 'mantis', front: null, from: `score-${line.target}`, to: `score-${line.seat}` }]
  return []
}

function gauntlet(view: View, line: Line): Flight[] {
  const seats = view.seats as { role: 'thanos' | 'hero' }[]
  const seat = typeof line.seat === 'number' ? line.seat : null
  if (seat === null) return []
  const deck = seats[seat]?.role ?? 'hero'
  const card = text(line.card)
  if (line.kind === 'drawn') return [{ kind: 'gauntlet', card, deck, from: `deck-${deck}`, to: `hand-${seat}` }]
  if (line.kind === 'played') return [{ kind: 'gauntlet', card, deck, from: `hand-${seat}`, to: `face-up-${seat}` }]
  if (line.kind === 'defeated') return [{ kind: 'gauntlet', card, deck, from: `hand-${seat}`, to: `face-up-${seat}` }]
  return []
}

function splendor(line: Line): Flight[] {
  const seat = Number(line.seat)
  const level = Number(line.level ?? 1)
  switch (line.kind) {
    case 'taken':
      return (line.colours as GemColour[]).map((colour) => ({
        kind: 'token',
        colour,
        from: `bank-${colour}`,
        to: `tokens-${seat}`,
      }))
    case 'returned':
      return [
        { kind: 'token', colour: line.token as GemColour, from: `tokens-${seat}`, to: `bank-${String(line.token)}` },
      ]
    case 'reserved':
    case 'reserved-blind':
      return [{ kind: 'character', card: text(line.card), level, from: `deck-${level}`, to: `tokens-${seat}` }]
    case 'recruited':
      return [{ kind: 'character', card: text(line.card), level: 1, from: 'deck-2', to: `tokens-${seat}` }]
    case 'time-stone':
      return [{ kind: 'token', colour: 'green', from: 'bank-green', to: `tokens-${seat}` }]
    default:
      return []
  }
}

export function flightsOf(view: View, line: Line): Flight[] {
  if (view.game === 'mantis') return mantis(line)
  if (view.game === 'infinity-gauntlet') return gauntlet(view, line)
  return splendor(line)
}
