// A fight is a beat: it comes, and it goes.
import { render } from '@testing-library/svelte'
import { tick } from 'svelte'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { install } from '../src/lib/language.svelte'
import FightBeat from '../src/tables/FightBeat.svelte'
import type { GauntletView, Scene } from '../src/tables/views'
import { allTexts } from './catalogues'

const fight = { kind: 'fight', how: 'won', hero_card: 'thor', thanos_card: 'outrider', defeated: 'outrider' }
const scene = (log: object[], fresh: number) => ({ log, fresh }) as unknown as Scene<GauntletView>

beforeEach(() => {
  vi.useFakeTimers()
  install('en', allTexts('en'))
})
afterEach(() => vi.useRealTimers())

test('a fight leaves the table, although moves follow quickly', async () => {
  const { container, rerender } = render(FightBeat, { scene: scene([], 0) })
  await rerender({ scene: scene([fight], 0) })
  expect(container.querySelectorAll('.beat .falls')).toHaveLength(1)
  vi.advanceTimersByTime(500)
  await rerender({ scene: scene([fight, { kind: 'drawn' }], 1) })
  expect(container.querySelector('.beat')).not.toBeNull()
  vi.advanceTimersByTime(2500)
  await tick()
  expect(container.querySelector('.beat')).toBeNull()
})

test('a fight that was over before the table was opened is not shown again', async () => {
  const { container, rerender } = render(FightBeat, { scene: scene([fight, { kind: 'drawn' }], 0) })
  await tick()
  expect(container.querySelector('.beat')).toBeNull()
  await rerender({ scene: scene([fight, { kind: 'drawn' }, { kind: 'drawn' }], 2) })
  expect(container.querySelector('.beat')).toBeNull()
})
