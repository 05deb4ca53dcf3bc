// The animation of a fight is shown for a while.
import { render } from '@testing-library/svelte'
import { tick } from 'svelte'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { setTexts } from '../../src/i18n/language.svelte'
import FightAnimation from '../../src/games/infinity-gauntlet/FightAnimation.svelte'
import type { View } from '../../src/games/infinity-gauntlet/view'
import type { Scene } from '../../src/table/scene'
import { allTexts } from '../catalogues'

const fight = { kind: 'fight', how: 'won', hero_card: 'thor', thanos_card: 'outrider', defeated: 'outrider' }
const scene = (log: object[], firstNewLine: number) =>
  ({ log, firstNewLine, view: { token_bonus: 2 } }) as unknown as Scene<View>

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
