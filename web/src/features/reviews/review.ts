// A review as the server sends it (src/tavolino/coach/written.py), and what the page reads out of it.

import { t } from '../../i18n/language.svelte'
import type { Sentences } from '../../i18n/sentences'
import type { Line, Reason, Table } from '../../api/protocol'
import { signed } from '../../lib/signed'

/** `close`: of the judge's two methods only one finds a loss (src/tavolino/coach/judge.py). */
export type Label = 'only' | 'good' | 'close' | 'inaccuracy' | 'mistake' | 'blunder'

/** One action: the chance to win after it; an estimate says how it compares, and no more. */
export interface Worth {
  action: string
  chance: number
  error: number
  worlds: number
  estimate: boolean
  /** What choosing it would have cost; null for an estimate. How that is called; null also where nothing is said
   *  against an action that looks worse. */
  cost: number | null
  label: Label | null
}

export interface Decision {
  turn: number
  line: number
  chosen: string
  best: string
  label: Label
  cost: number
  cost_error: number
  actions: Worth[]
  reasons: Reason[]
}

/** One action of the game, as it changed the chance of the seat to win: by the choice, and by luck. */
export interface Step {
  turn: number
  line: number
  seat: number
  before: number
  after: number
  /** The standard error of `after`. */
  error: number
  doing: number
  doing_error: number
  luck: number
}

/** So many standard errors apart, as in src/tavolino/coach/labels.py. */
const SURE = 2
/** A game has some fifty steps, most of them without luck: at two errors, two or three of them would be told one. */
const SURE_OF_LUCK = 3

/** Null if a change is not more than this error, or than half a point. */
function sureChange(by: number, error: number): number | null {
  return Math.abs(by) >= Math.max(0.005, error) ? by : null
}

/** What another player's choice and what luck changed, if it is more than the error of the measurement and than half a
 *  point. What an own choice cost is the judge's to say, with its label. */
export function partsOf(step: Step, viewer: number | null): { doing: number | null; luck: number | null } {
  // The chance before has an error of its own, about as large as the one after.
  return {
    doing: step.seat === viewer ? null : sureChange(step.doing, SURE * step.doing_error),
    luck: sureChange(step.luck, SURE_OF_LUCK * Math.hypot(step.error, step.error, step.doing_error)),
  }
}

/** How far a step changed the chance, if it is more than the error of the measurement and than half a point. */
export function changeOf({ before, after, error }: Step): number | null {
  return sureChange(after - before, SURE * Math.hypot(error, error))
}

/** The sentences of a step. What is not told otherwise, because anybody sees it on the table, is told where luck needs it:
 *  the next card, say. */
export function toldOf(
  step: Step | undefined,
  lines: readonly Line[],
  sentences: Sentences,
  quiet: ReadonlySet<string> | null,
): string[] {
  const isOver = lines.some((line) => line.kind === 'over') // then nothing else matters
  const isLuck = step !== undefined && !isOver && partsOf(step, sentences.viewer).luck !== null
  return lines.filter((line) => isLuck || !quiet?.has(line.kind)).map((line) => sentences.event(line))
}

export interface GameReview {
  /** Standard errors of the parts of the result. */
  parts: { errors: { luck: number } }
  seat: number
  skill: number | null
  luck: number
  difficulty: number
  given_away: number
  turning_point: number | null
  moments: number[]
  steps: Step[]
  decisions: Decision[]
}

/** How a loss is marked beside a move, as in chess. */
export const MARKS: Partial<Record<Label, string>> = { inaccuracy: '?!', mistake: '?', blunder: '??' }

/** The chance to win at the deal and after every decision. */
export function chancesOf(review: GameReview): number[] {
  const [first] = review.steps
  return first ? [first.before, ...review.steps.map((step) => step.after)] : []
}

const PERCENT = 100

export const percent = (share: number) => `${Math.round(PERCENT * share)}%`

/** A change with its sign. */
export function change(by: number): string {
  return `${signed(Math.round(PERCENT * by))}%`
}

/** The step that raised this seat's chance most, if it is more than the error of the measurement. */
export function bestMoment(review: GameReview): Step | null {
  const sure = review.steps.filter((step) => (changeOf(step) ?? 0) > 0)
  return sure.toSorted((a, b) => b.after - b.before - (a.after - a.before))[0] ?? null
}

/** How many of the decisions nothing better was found for. */
export function goodDecisions(review: GameReview): { good: number; n: number } {
  const { decisions } = review
  return { good: decisions.filter(({ label }) => !MARKS[label]).length, n: decisions.length }
}

/** What a decision chosen blindly would have cost on average. */
export function difficultyOf(review: GameReview): number {
  return review.decisions.length ? Math.max(0, review.difficulty) / review.decisions.length : 0
}

/** The decision that is made after so many others, if it is one of the reviewed seat. */
export function decisionAt(review: GameReview | null, at: number): Decision | undefined {
  return review?.decisions.find((decision) => decision.turn === at + 1)
}

export const labelText = (label: Label) => t(`review.label.${label}`)

/** Less than this is not worth a word. */
const LITTLE_LUCK = 0.1

/** How the cards were, if that is more than the error of the measurement. */
export function luckWord({ luck, parts }: GameReview): 'with' | 'against' | 'even' {
  if (Math.abs(luck) < Math.max(LITTLE_LUCK, SURE * parts.errors.luck)) return 'even'
  return luck > 0 ? 'with' : 'against'
}

/** Whose review is shown after a game: one's own; of a public table, to who watched, the winner's. */
export function reviewedSeat({ ending, you, public: isPublic }: Table): number | null {
  if (ending?.how !== 'played') return null
  return you.seat ?? (isPublic ? (ending.winners[0] ?? 0) : null)
}
