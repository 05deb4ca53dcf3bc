// What the page reads out of a review, and the curve as a slider.
import { cleanup, fireEvent, render } from '@testing-library/svelte'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Line } from '../src/api/protocol'
import { setTexts } from '../src/i18n/language.svelte'
import { Sentences } from '../src/i18n/sentences'
import Curve from '../src/features/reviews/Curve.svelte'
import {
  change,
  chancesOf,
  decisionAt,
  difficultyOf,
  luckWord,
  bestMoment,
  changeOf,
  partsOf,
  percent,
  toldOf,
  type Decision,
  type GameReview,
} from '../src/features/reviews/review'
import Verdict from '../src/features/reviews/Verdict.svelte'
import { createRawSnippet } from 'svelte'
import { allTexts } from './catalogues'

const step = (turn: number, before: number, after: number) => ({
  turn,
  line: turn,
  seat: turn % 2,
  before,
  after,
  error: 0.01,
  doing: 0,
  doing_error: 0,
  luck: after - before,
})
const review = {
  steps: [step(1, 0.5, 0.4), step(2, 0.4, 0.7), step(3, 0.7, 1)],
  decisions: [{ turn: 2, label: 'blunder' }],
  difficulty: 0.08,
} as unknown as GameReview

beforeEach(() => setTexts('en', allTexts('en')))
afterEach(cleanup)

test('the curve begins at the deal and has a point after every decision', () => {
  expect(chancesOf(review)).toEqual([0.5, 0.4, 0.7, 1])
  expect(chancesOf({ ...review, steps: [] })).toEqual([])
})

test('a decision belongs to the position before it', () => {
  expect(decisionAt(review, 1)?.turn).toBe(2)
  expect(decisionAt(review, 2)).toBeUndefined()
  expect(decisionAt(null, 1)).toBeUndefined()
})

test('shares and changes are whole percents with a sign', () => {
  expect(percent(0.426)).toBe('43%')
  expect([change(0.07), change(-0.066), change(0.001)]).toEqual(['+7%', '−7%', '±0%'])
  expect(difficultyOf(review)).toBeCloseTo(0.08)
  expect(difficultyOf({ ...review, decisions: [] })).toBe(0)
})

test('a change within the error of the measurement is not told', () => {
  const sure = { ...step(1, 0.5, 0.4), doing: -0.06, doing_error: 0.02, luck: -0.09 }
  const another = sure.seat + 1
  expect(partsOf(sure, another)).toEqual({ doing: -0.06, luck: -0.09 })
  expect(partsOf(sure, sure.seat)).toEqual({ doing: null, luck: -0.09 })
  expect(partsOf({ ...sure, doing_error: 0.04, luck: -0.2 }, another)).toEqual({ doing: null, luck: -0.2 })
  expect(partsOf({ ...sure, error: 0.03 }, another)).toEqual({ doing: -0.06, luck: null })
  const small = { ...sure, doing: 0, doing_error: 0, luck: 0.001, error: 0 }
  expect(partsOf(small, another)).toEqual({ doing: null, luck: null })
})

test('a change within two errors is not shown, and the best moment is a sure one', () => {
  expect(changeOf(step(1, 0.5, 0.4))).toBeCloseTo(-0.1)
  expect(changeOf(step(1, 0.5, 0.52))).toBeNull()
  expect(bestMoment({ ...review, steps: [step(1, 0.5, 0.4), step(2, 0.4, 0.8), step(3, 0.8, 1)] })?.turn).toBe(2)
  expect(bestMoment({ ...review, steps: [step(1, 0.5, 0.4)] })).toBeNull()
})

test('a box tells one move: the chance before it, the choice, the chance after it', () => {
  const decision = { turn: 2, chosen: 'score', best: 'score', label: 'good', cost: 0, actions: [], reasons: [] }
  const shown = (after: number) =>
    render(Verdict, {
      chance: 0.4,
      step: step(2, 0.4, after),
      told: ['You scored.'],
      decision: decision as unknown as Decision,
      sentences: new Sentences('mantis', ['Ada', 'Bo'], 0),
      buttons: createRawSnippet(() => ({ render: () => '<span></span>' })),
    }).container.textContent.replace(/\s+/g, ' ')
  expect(shown(0.7)).toMatch(/Before 40% chance to win .*You chose.*Good.*You scored\..*After 70% \(\+30%\)/)
  expect(shown(0.41)).toMatch(/After 41%\s*$/)
})

test('the curve is a slider for the keyboard, and marks losses by signs', async () => {
  const onpick = vi.fn()
  const { getByRole, container } = render(Curve, {
    chances: chancesOf(review),
    at: 1,
    marks: [{ at: 1, label: 'blunder' }],
    onpick,
  })
  const slider = getByRole('slider')
  expect(slider.getAttribute('aria-valuetext')).toBe('Move 1 of 3: 40%')
  expect(container.querySelector('.mark')?.textContent).toBe('??')
  for (const key of ['ArrowRight', 'ArrowLeft', 'Home', 'End']) await fireEvent.keyDown(slider, { key })
  expect(onpick.mock.calls.flat()).toEqual([2, 0, 0, 3])
})

test('what is seen on the table anyway is told where luck needs it', () => {
  const sentences = new Sentences('mantis', ['Ada', 'Bo'], 0)
  const lines = [
    { kind: 'turned', seat: 0, how: 'score', target: 0, colour: 'pink', match: true, count: 2, icon: null },
    { kind: 'back', back: ['red', 'green', 'pink'], count: 61 },
  ] as unknown as Line[]
  const told = (before: number, after: number) => toldOf(step(1, before, after), lines, sentences, new Set(['back']))
  expect(told(0.19, 0)).toHaveLength(2)
  expect(told(0.19, 0)[1]).toContain('Next card')
  expect(told(0.19, 0.19)).toHaveLength(1)
  const over = { kind: 'over', winners: [0], reason: 'MA-30' } as unknown as Line
  const last = toldOf(step(1, 0.5, 1), [...lines, over], sentences, new Set(['back']))
  expect(last).toHaveLength(2)
  expect(last.join(' '), 'the next card does not matter at the end').not.toContain('Next card')
})

test('luck is a word only if it is more than its error', () => {
  const review = (luck: number, error: number) =>
    ({ luck, parts: { errors: { luck: error } } }) as unknown as GameReview
  expect(luckWord(review(0.3, 0.05))).toBe('with')
  expect(luckWord(review(-0.3, 0.05))).toBe('against')
  expect(luckWord(review(-0.3, 0.2))).toBe('even')
  expect(luckWord(review(0.05, 0))).toBe('even')
})
