// What a drawing of a table gets to draw, whether the game is live, a replay or a lesson.

import type { Line, View } from '../api/protocol'
import type { Sentences } from '../i18n/sentences'

/** What a drawing shows beside the name of a seat. */
export interface SeatState {
  name: string
  /** The level of a bot; null for a person. */
  level: string | null
  online: boolean
  standIn: boolean
  onVacation?: boolean
  /** When the time for this move runs out, in milliseconds since 1970. */
  deadline: number | null
  /** The picture that a person has chosen. */
  avatar?: number | null
  /** What was said from here a moment ago. */
  bubble?: string
}

export interface Scene<V extends View = View> {
  view: V
  log: readonly Line[]
  /** Index of the first log line that came with the present view. */
  firstNewLine: number
  /** The event that is being told, before the view changes; undefined where events are not told one by one. */
  telling?: Line | null
  sentences: Sentences
  /** The notebook that belongs to the view, where the table shows what it knows. */
  notes?: unknown
  seats: readonly SeatState[]
}

/** The other seats, clockwise from the viewer (from seat 0 for a spectator). */
export function otherSeats(view: View): number[] {
  const from = view.seat ?? -1
  return Array.from({ length: view.players }, (_, i) => (from + 1 + i + view.players) % view.players).filter(
    (seat) => seat !== view.seat,
  )
}

/** The last lines of a log that fit, oldest first. */
export function lastLines(log: readonly Line[], most: number, fits: (line: Line) => boolean): Line[] {
  const found: Line[] = []
  for (let i = log.length - 1; i >= 0 && found.length < most; i -= 1) if (fits(log[i]!)) found.unshift(log[i]!)
  return found
}
