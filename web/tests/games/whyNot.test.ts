// A tap on a card that cannot be played asks the server why: about that card, and about an action that exists.
import { cleanup } from '@testing-library/svelte'
import { afterEach, expect, test } from 'vitest'
import gauntlet from '../../src/games/infinity-gauntlet'
import { setTexts } from '../../src/i18n/language.svelte'
import { allTexts } from '../catalogues'
import { draw, recorded, type Recorded } from '../recorded'

setTexts('en', allTexts('en'))
afterEach(cleanup)

/** A seat that holds these cards and may do this. */
function holding(hand: string[], legal: string[]): Recorded {
  const view = recorded('infinity-gauntlet').find(({ seat }) => seat.legal.length)!.seat
  const seats = (view.seats as Record<string, unknown>[]).map((seat, n) => (n === view.seat ? { ...seat, hand } : seat))
  return { ...view, seats, legal } as Recorded
}

/** Taps a card of the hand. */
function tap(container: HTMLElement, place: number) {
  container.querySelectorAll<HTMLButtonElement>('.hand li button')[place]!.click()
}

test.each([
  { legal: ['play corvus-glaive', 'play outrider', 'snap'], asks: 'play thanos' },
  { legal: ['snap', 'end-turn'], asks: 'play thanos' },
  { legal: ['fight', 'decline'], asks: 'play thanos' },
  { legal: ['choose 1', 'choose 2', 'decline'], asks: 'play thanos' },
  { legal: ['give-up corvus-glaive'], asks: 'give-up thanos' },
])('with $legal a tap on Thanos asks about "$asks"', ({ legal, asks }) => {
  const { container, asked, sent } = draw(gauntlet, holding(['corvus-glaive', 'thanos'], legal))
  tap(container, 1)
  expect(asked).toEqual([asks])
  expect(sent).toEqual([])
})
