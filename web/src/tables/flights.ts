// Which cards and tokens an event moves, and between which places of the table (`data-place`).
// A place may be finer than the table marks it: `tank-2-red` falls back to `tank-2` (Flights).
// A hidden card flies as a back: its id is not in the event, so it cannot be on the screen.

import { mantisColours, type GemColour, type MantisColour } from '../art/signs'
import type { Line, View } from '../lib/protocol'

export type Flight = {
  from: string
  to: string
  /** Starts when the flight before it has landed. */ then?: boolean
} & (
  | { kind: 'gauntlet'; card: string | null; deck: 'hero' | 'thanos' }
  | { kind: 'mantis'; front: MantisColour | null }
  | { kind: 'character'; card: string | null; level: number }
  | { kind: 'token'; colour: GemColour }
)

const text = (value: unknown) => (typeof value === 'string' ? value : null)

function mantis(line: Line): Flight[] {
  const front = mantisColours.find((colour) => text(line.card)?.startsWith(`${colour}:`)) ?? null
  if (line.kind === 'turned') {
    const tank = `tank-${line.target}-${front}`
    const flights: Flight[] = [{ kind: 'mantis', front, from: 'draw', to: tank }]
    if (line.matched && line.how === 'score')
      flights.push({ kind: 'mantis', front, from: tank, to: `score-${line.seat}`, then: true })
    if (line.matched && line.how === 'steal') {
      const to = line.icon === 'score-and-steal' ? `score-${line.seat}` : `tank-${line.seat}-${front}`
      for (let i = 0; i < Math.min(3, Number(line.count ?? 1)); i += 1)
        flights.push({ kind: 'mantis', front, from: tank, to, then: i === 0 })
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

/** Where a card of the market, or one that was reserved, lay before this line. */
function spotOf(log: readonly Line[], line: Line): string {
  const before = log.slice(0, log.indexOf(line)).findLast((one) => {
    if (one.kind === 'row') return (one.cards as string[]).includes(String(line.card))
    return one.card === line.card && ['refilled', 'reserved', 'reserved-blind'].includes(one.kind)
  })
  if (before?.kind === 'row') return `row-${before.level}-${(before.cards as string[]).indexOf(String(line.card))}`
  if (before?.kind === 'refilled') return `row-${before.level}-${before.place}`
  return `tokens-${line.seat}-kept`
}

function splendor(line: Line, log: readonly Line[]): Flight[] {
  const seat = Number(line.seat)
  const level = Number(line.level ?? 1)
  switch (line.kind) {
    case 'taken':
      return (line.colours as GemColour[]).map((colour) => ({
        kind: 'token',
        colour,
        from: `bank-${colour}`,
        to: `tokens-${seat}-${colour}`,
      }))
    case 'returned': {
      const colour = line.token as GemColour
      return [{ kind: 'token', colour, from: `tokens-${seat}-${colour}`, to: `bank-${colour}` }]
    }
    case 'reserved':
      return [{ kind: 'character', card: text(line.card), level, from: spotOf(log, line), to: `tokens-${seat}-kept` }]
    case 'reserved-blind':
      return [{ kind: 'character', card: text(line.card), level, from: `deck-${level}`, to: `tokens-${seat}-kept` }]
    case 'recruited': {
      const to = `tokens-${seat}-${String(line.bonus)}`
      return [{ kind: 'character', card: text(line.card), level: 1, from: spotOf(log, line), to }]
    }
    case 'time-stone':
      return [{ kind: 'token', colour: 'green', from: 'bank-green', to: `tokens-${seat}-green` }]
    default:
      return []
  }
}

export function flightsOf(view: View, line: Line, log: readonly Line[]): Flight[] {
  if (view.game === 'mantis') return mantis(line)
  if (view.game === 'infinity-gauntlet') return gauntlet(view, line)
  return splendor(line, log)
}
