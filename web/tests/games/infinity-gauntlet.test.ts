// The animation of a fight is shown for a while; known cards are pinned to the seats.
import { cleanup, render } from '@testing-library/svelte'
import { tick } from 'svelte'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { setTexts } from '../../src/i18n/language.svelte'
import FightAnimation from '../../src/games/infinity-gauntlet/FightAnimation.svelte'
import ui from '../../src/games/infinity-gauntlet'
import { summaries } from '../../src/games/infinity-gauntlet/summary'
import type { Notebook, View } from '../../src/games/infinity-gauntlet/view'
import { Sentences } from '../../src/i18n/sentences'
import type { Scene } from '../../src/table/scene'
import { allTexts } from '../catalogues'
import { draw, recorded } from '../recorded'

const fight = {
  kind: 'fight',
  seat: 1,
  target: 0,
  how: 'won',
  hero_card: 'thor',
  thanos_card: 'outrider',
  defeated: 'outrider',
}
const scene = (log: object[], firstNewLine: number) =>
  ({
    log,
    firstNewLine,
    view: { token_bonus: 2 },
    sentences: new Sentences('infinity-gauntlet', ['Ann', 'Bo'], null),
  }) as unknown as Scene<View>

beforeEach(() => {
  vi.useFakeTimers()
  setTexts('en', allTexts('en'))
})
afterEach(() => vi.useRealTimers())

test('a fight leaves the table, although moves follow quickly', async () => {
  const { container, rerender } = render(FightAnimation, { scene: scene([], 0) })
  await rerender({ scene: scene([fight], 0) })
  expect(container.querySelectorAll('.fight .falls')).toHaveLength(1)
  vi.advanceTimersByTime(500)
  await rerender({ scene: scene([fight, { kind: 'drawn' }], 1) })
  expect(container.querySelector('.fight')).not.toBeNull()
  vi.advanceTimersByTime(2500)
  await tick()
  expect(container.querySelector('.fight')).toBeNull()
})

test('a fight that was over before the table was opened is not shown again', async () => {
  const { container, rerender } = render(FightAnimation, { scene: scene([fight, { kind: 'drawn' }], 0) })
  await tick()
  expect(container.querySelector('.fight')).toBeNull()
  await rerender({ scene: scene([fight, { kind: 'drawn' }, { kind: 'drawn' }], 2) })
  expect(container.querySelector('.fight')).toBeNull()
})

test('cards that the viewer knows lie open on the seats of the others', () => {
  const moment = recorded('infinity-gauntlet').find(({ seat, notebook }) =>
    (notebook as unknown as Notebook | undefined)?.known.hands.some((hand, at) => at !== seat.seat && hand.length),
  )!
  const { known } = moment.notebook as unknown as Notebook
  const cards = known.hands.flatMap((hand, at) => (at === moment.seat.seat ? [] : hand))
  const { container } = draw(ui, moment.seat, moment.notebook)
  expect(container.querySelectorAll('.known')).toHaveLength(cards.length)
  for (const card of cards)
    expect(container.textContent).toContain(`You know this card: ${allTexts('en')[`infinity-gauntlet.card.${card}`]}`)
  cleanup()
  expect(draw(ui, moment.seat).container.querySelector('.known')).toBeNull()
})

test.each([
  ['give-up', 'nebula', 'IG-52'],
  ['fight-with', 'black-dwarf', 'IG-42'],
  ['end-turn', 'power-stone', 'IG-83'],
  ['fight', 'iron-man', 'IG-59'],
  ['guess-hero', 'outrider', 'IG-61'],
])('the question “%s” of %s shows rule %s', (key, card, rule) => {
  const view = { prompt: { key, card, seat: 0 } } as unknown as View
  expect(ui.promptRule?.(view)).toBe(rule)
})

describe('the summary of a team', () => {
  const seats = ['thanos', 'hero', 'hero'].map((role) => ({ role }))
  const log = [
    { kind: 'fight', seat: 1, target: 0, how: 'won' },
    { kind: 'defeated', seat: 0 },
    { kind: 'fight', seat: 2, target: 0, how: 'lost' },
    { kind: 'defeated', seat: 2 },
    { kind: 'fight', seat: 2, target: 0, how: 'tie' },
    { kind: 'guessed', seat: 1, how: 'right' },
    { kind: 'guessed', seat: 0, how: 'wrong' },
  ]
  const of = (seat: number | null) => summaries({ seat, seats } as unknown as View, log)

  test('counts what its seats did together', () => {
    expect(of(1).map(({ lines }) => lines)).toEqual([
      ['Fights: 1 won, 1 tied, 1 lost', 'Correct guesses: 1 of 1', 'Cards defeated: 1, cards lost: 1'],
    ])
    expect(of(0)[0]!.lines[1]).toBe('Correct guesses: 0 of 1')
  })

  test('says nothing of guesses where there were none', () => {
    const fought = log.filter(({ kind }) => kind !== 'guessed')
    expect(summaries({ seat: 0, seats } as unknown as View, fought)[0]!.lines).toEqual([
      'Fights: 1 won, 1 tied, 1 lost',
      'Cards defeated: 1, cards lost: 1',
    ])
  })

  test('is for those who played in it; a spectator reads both', () => {
    expect(of(0)).toHaveLength(1)
    expect(of(null)).toHaveLength(2)
  })
})

test('the stones that a snap has shown in the hand count at the end, and those of a Thanos who lost do not', () => {
  const thanos = { role: 'thanos', hand: ['soul-stone', 'thanos'], face_up: [], tokens: 4 }
  const ended = (reason: string) =>
    ui.standings!(
      {
        seats: [thanos],
        life: { thanos: 2, heroes: 7 },
        stones: ['mind-stone', 'time-stone'],
        outcome: { winners: [0], reason },
      } as unknown as View,
      new Sentences('infinity-gauntlet', ['Ann'], null),
    )[0]!.parts[0]!.value
  expect(ended('IG-82')).toBe(3)
  expect(ended('IG-80')).toBe(2)
})
