// A review: its progress while it is computed, then the result; or why there is none.

import { ApiError } from '../../api/http'
import { api } from './api'
import type { Problem } from '../../api/protocol'
import { ownTables } from '../../api/transport'
import type { GameReview } from './review'

/** Milliseconds until the next request: while the review is computed, and when the server is busy. */
const AGAIN = 900
const LATER = 5000

export class ReviewProgress {
  review = $state.raw<GameReview | null>(null)
  /** Whether its player has opened it to everybody with the link. */
  shared = $state(false)
  done = $state(0)
  total = $state(0)
  problem = $state.raw<Problem | null>(null)
  /** Worked out by this device, for as long as it is asked for; a server works on. */
  readonly isHere: boolean
  private timer: ReturnType<typeof setTimeout> | undefined
  private stopped = false

  constructor(
    private readonly table: string,
    private readonly seat: number,
  ) {
    this.isHere = ownTables(table) !== null
  }

  start(): () => void {
    void this.ask()
    return () => {
      this.stopped = true
      clearTimeout(this.timer)
    }
  }

  private async ask(): Promise<void> {
    try {
      const { done, total, review, shared } = await api.review(this.table, this.seat)
      if (this.stopped) return
      this.done = done
      this.total = total
      this.shared = shared
      if (review) this.review = review as GameReview
      else this.timer = setTimeout(() => void this.ask(), AGAIN)
    } catch (failure) {
      if (this.stopped) return
      const problem = failure instanceof ApiError ? failure.problem : null
      if (problem?.code === 'busy' || problem?.code === 'still-compiling' || problem?.code === 'too-fast')
        this.timer = setTimeout(() => void this.ask(), LATER)
      else this.problem = problem ?? { code: 'no-answer', key: 'problem.no-answer', params: {}, rule: null }
    }
  }
}
