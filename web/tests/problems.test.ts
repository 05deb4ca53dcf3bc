// Sentences for what has failed.
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { cleanup, render } from '@testing-library/svelte'
import Progress from '../src/features/reviews/Progress.svelte'
import { ReviewProgress } from '../src/features/reviews/progress.svelte'
import { setTexts, t } from '../src/i18n/language.svelte'
import { problemText } from '../src/lib/problems'
import { allTexts } from './catalogues'

beforeEach(() => setTexts('en', allTexts('en')))
afterEach(() => {
  cleanup()
  vi.restoreAllMocks()
})

test.each([
  [true, 'problem.no-answer'],
  [false, 'problem.no-connection'],
])('with a connection: %s, a request without an answer is told as %s', (isOnline, key) => {
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(isOnline)
  expect(problemText(new TypeError('Failed to fetch'))).toBe(t(key))
})

test.each([
  ['~AAAAAAAAAAAAAAAAAAAAA', 'review.working-here'],
  ['AAAAAAAAAAAAAAAAAAAAAA', 'review.working'],
])('who leaves the review of %s is told what becomes of it', (table, key) => {
  const progress = new ReviewProgress(table, 0)
  progress.done = 1
  progress.total = 4
  const { container } = render(Progress, { progress })
  expect(container.querySelector('p')!.textContent).toContain(t(key, { percent: 25 }))
})
