// The table follows the events: after the last one of a move it is as the server sends it next.
import { expect, test } from 'vitest'
import type { Line, View } from '../../src/api/protocol'
import { loadGameUI } from '../../src/table/drawings'
import { recorded, type Recorded } from '../recorded'

/** The events between two recorded moments, whose logs are cut off at their beginning. */
function between(before: Recorded, next: Recorded): Line[] | null {
  for (let n = 1; n < next.log.length; n += 1)
    if (JSON.stringify(before.log.slice(n)) === JSON.stringify(next.log.slice(0, -n))) return next.log.slice(-n)
  return null
}

test.each([
  [
    'infinity-gauntlet',
    ['life', 'decks', 'seats', 'stones'],
    ['drawn', 'played', 'defeated', 'tokens', 'bottom', 'new-deck', 'shuffled-back'],
  ],
  ['mantis', ['draw', 'seats'], ['turned', 'taken', 'back']],
] as const)('%s', async (game, parts, least) => {
  const { after } = await loadGameUI(game)
  const shownOf = (view: View) =>
    parts.map((part) => {
      const value = (view as unknown as Record<string, unknown>)[part]
      return part === 'stones' ? [...(value as string[])].sort() : value
    })
  const kinds = new Set<string>()
  for (const perspective of ['spectator', 'seat'] as const) {
    const views = recorded(game).map((moment) => moment[perspective])
    views.slice(1).forEach((next, i) => {
      const before = views[i]!
      const lines = before.seat === next.seat ? between(before, next) : null
      if (!lines) return
      const followed = lines.reduce<View>((view, line) => after!(view, line), before)
      expect(shownOf(followed), lines.map(({ kind }) => kind).join()).toEqual(shownOf(next))
      for (const { kind } of lines) kinds.add(kind)
    })
  }
  expect([...kinds]).toEqual(expect.arrayContaining([...least]))
})

test('a fight spends the tokens that its event names', async () => {
  const { after } = await loadGameUI('infinity-gauntlet')
  const { spectator } = recorded('infinity-gauntlet').find(({ spectator: { seats } }) =>
    (seats as { tokens: number }[]).some(({ tokens }) => tokens > 0),
  )!
  const tokensIn = (view: View) => (view.seats as { tokens: number }[]).map(({ tokens }) => tokens)
  const seat = tokensIn(spectator).findIndex((tokens) => tokens > 0)
  const fight = { kind: 'fight', seat, target: 0, hero_token: true, thanos_token: false } as Line
  expect(tokensIn(after!(spectator, fight))).toEqual(tokensIn(spectator).map((n, at) => (at === seat ? n - 1 : n)))
})
