// What a drawing of a table gets to draw, whether the game is live, a replay or a lesson.

import type { Line, View } from '../api/protocol'
import type { Sentences } from '../i18n/sentences'
import type { SignName } from '../ui/signs'

export interface SeatTap {
  /** The key of its name. */
  label: string
  sign: SignName
  /** It offers more to choose from; otherwise the tap is all. */
  opens?: boolean
  tap: (event: Event) => void
}

/** What a drawing shows beside the name of a seat. */
export interface SeatState {
  name: string
  /** The level of a bot; null for a person. */
  level: string | null
  /** The number of a bot at the table, which its name and its face come from. */
  bot?: number | null
  /** Whether the person is a program, and says so. */
  program?: boolean
  online: boolean
  standIn: boolean
  /** What else there is to say about who sits here. */
  state?: string
  /** When the time for this move runs out, in milliseconds since 1970. */
  deadline: number | null
  /** The picture that a person has chosen. */
  avatar?: number | null
  /** What was said from here a moment ago. */
  bubble?: string
  /** What taps on the signs beside the viewer's own name do. */
  taps?: readonly SeatTap[]
}

export interface Scene<V extends View = View> {
  view: V
  log: readonly Line[]
  /** Index of the first log line that came with the present view. */
  firstNewLine: number
  /** The event that is being shown, before the view changes; undefined if events are not shown one by one. */
  telling?: Line | null
  sentences: Sentences
  /** The notebook that belongs to the view, where the table shows what it knows. */
  notes?: unknown
  seats: readonly SeatState[]
  /** What a hint speaks of, by kind: cards, seats, colours, locations. */
  marks?: Record<string, unknown[]> | null
  /** The seat that a spectator follows: drawn where players have their own, with what is open to all. */
  follow?: number | null
}

/** Whether a hint speaks of this card, seat, colour or location. */
export function isMarked(scene: Scene, kind: 'cards' | 'seats' | 'colours' | 'locations', id: unknown): boolean {
  return scene.marks?.[kind]?.includes(id) ?? false
}

/** The seat that is drawn below the others, beside the question: the viewer's, or the one that a spectator follows. */
export function nearSeat(scene: Scene): number | null {
  return scene.view.seat ?? scene.follow ?? null
}

/** The other seats, clockwise from the near one (from seat 0 if there is none). */
export function otherSeats(scene: Scene): number[] {
  const { players } = scene.view
  const near = nearSeat(scene)
  const from = near ?? -1
  return Array.from({ length: players }, (_, i) => (from + 1 + i + players) % players).filter((seat) => seat !== near)
}

/** The last lines of a log that fit, oldest first. */
export function lastLines(log: readonly Line[], most: number, fits: (line: Line) => boolean): Line[] {
  const found: Line[] = []
  for (let i = log.length - 1; i >= 0 && found.length < most; i -= 1) if (fits(log[i]!)) found.unshift(log[i]!)
  return found
}
