import type { Line } from '../../api/protocol'
import type { Timing } from '../../table/presentation.svelte'

/** All in milliseconds: the target lights up, the card turns over, what it means is read, and then it moves. */
export const FLIP_AFTER = 350
export const FLIP = 500
const READ = 900
const MOVE = 500
const END = 2200

export function timing(line: Line): Timing | null {
  if (line.kind === 'over') return { time: END }
  if (line.kind !== 'turned') return null
  return { time: FLIP_AFTER + FLIP + READ + MOVE, moveAfter: FLIP_AFTER + FLIP + READ, captionAfter: FLIP_AFTER + FLIP }
}
