import type { Line } from '../../api/protocol'
import type { Timing } from '../../table/presentation.svelte'

/** In milliseconds: how long what a card brings is read, and its way to its place. */
const READ = 1700
const MOVE = 400

/** A reserved card that only its holder sees takes as long for all: who hears the page learns nothing from its pace. */
const KINDS_OF_CARDS = new Set(['recruited', 'reserved', 'reserved-blind'])

export function timing(line: Line): Timing | null {
  if (KINDS_OF_CARDS.has(line.kind)) return { time: READ + MOVE, moveAfter: READ }
  return line.kind === 'over' ? { time: READ + MOVE } : null
}
