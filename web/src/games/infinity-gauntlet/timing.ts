import type { Line } from '../../api/protocol'
import type { Timing } from '../../table/presentation.svelte'

/** In milliseconds: how long a fight is shown, and when its result is visible. */
export const FIGHT = 2600
const FALL = 900

export function timing(line: Line): Timing | null {
  return line.kind === 'fight' ? { time: FIGHT, captionAfter: FALL } : null
}
