import type { Line } from '../../api/protocol'
import { t } from '../../i18n/language.svelte'
import type { Timing } from '../../table/presentation.svelte'

/** All in milliseconds: how long a fight is shown, and when its result is visible. */
export const FIGHT = 2600
const FALL = 900
/** The sixth stone, the flash and two seconds of dust. */
const SNAP = 3400
/** A card comes to the middle, its effect is read, and then it goes to its place. */
const COME = 700
const PER_LETTER = 14
const LONGEST_READ = 2100
const MOVE = 400
const FALLEN = 1300
const END = 2200

/** Cards that only some may see take as long for all: who hears the page learns nothing from its pace. */
const HIDDEN: Readonly<Record<string, number>> = {
  drawn: 700,
  looked: 1600,
  'top-three': 1600,
  ordered: 1300,
  bottom: 1300,
}

/** A card that lies in the middle until its words are read. */
function read(letters: number): Timing {
  const moveAfter = COME + Math.min(LONGEST_READ, PER_LETTER * letters)
  return { time: moveAfter + MOVE, moveAfter }
}

export function timing(line: Line): Timing | null {
  const time = HIDDEN[line.kind]
  if (time !== undefined) return { time }
  switch (line.kind) {
    case 'played':
      return read(t(`infinity-gauntlet.effect.${String(line.card)}`).length)
    case 'defeated':
      return { time: FALLEN + MOVE, moveAfter: FALLEN }
    case 'fight':
      return { time: FIGHT, captionAfter: FALL }
    case 'snap':
      return { time: SNAP }
    case 'over':
      return { time: END }
    default:
      return null
  }
}
