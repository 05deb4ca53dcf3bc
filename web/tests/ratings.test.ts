// Figures about a person that can be felt: a rough rating, and a share only of enough games.
import { cleanup, render } from '@testing-library/svelte'
import { afterEach, expect, test, vi } from 'vitest'
import History from '../src/features/ratings/History.svelte'
import { ratingText } from '../src/features/ratings/ratings'
import { setTexts } from '../src/i18n/language.svelte'
import { allTexts } from './catalogues'

afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

test.each([
  ['en', 'about 1450'],
  ['it', 'circa 1450'],
  ['pl', 'około 1450'],
])('a rating is rough until it is certain (%s)', (language, words) => {
  setTexts(language, allTexts(language))
  const rating = { value: 1447, low: 994, high: 1917, sure: false, games: 1 }
  expect(ratingText(rating)).toBe(words)
  expect(ratingText({ ...rating, sure: true })).toBe('1447')
})

const figures = (decided: number, wins: number) => ({
  game: 'mantis',
  decided,
  wins,
  low: 0,
  high: 0.79,
  cost: null,
  costs: [],
  streak: 1,
  longest: 1,
})
const game = {
  table: 't',
  game: 'mantis',
  how: 'played',
  won: true,
  people: 0,
  against: [null],
  ended: 0,
  given_away: null,
}

test.each([
  [1, 1, ''],
  [9, 4, ''],
  [12, 6, '50%'],
])('of %i games %i were won', async (decided, wins, share) => {
  setTexts('en', allTexts('en'))
  const profile = { figures: [figures(decided, wins)], ratings: [], games: [game] }
  vi.stubGlobal('fetch', () => Promise.resolve(Response.json(profile)))
  const { findByTestId } = render(History)
  const shown = await findByTestId('figures-mantis')
  expect(shown.textContent).toContain(`${wins} of ${decided} won`)
  expect(shown.querySelector('.share b')?.textContent ?? '').toBe(share)
  expect(shown.textContent.includes('between')).toBe(share !== '')
})
