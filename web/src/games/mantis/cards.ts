import { colours } from './parts'
import type { Colour } from './view'

/** The colour of a card's front: an id is the front and the other two colours of the back, `blue:red+green`. */
export function frontOf(card: unknown): Colour | null {
  return colours.find((colour) => String(card).startsWith(`${colour}:`)) ?? null
}
