// Where the log marks what is new since the viewer's last turn.

import type { Line } from '../api/protocol'

/**
 * The first line to mark, where `since` is the number of the first line after the viewer's last decision. What the next
 * player's turn begins with, such as a draw, comes in the same message as the outcome of that decision, but is new.
 */
export function firstLineSince(log: readonly Line[], since: number, viewer: number | null): number {
  const next = log[since]?.seat
  if (typeof next !== 'number' || next === viewer) return since
  let first = since
  while (first > 0 && log[first - 1]!.seat === next) first -= 1
  return first
}
