// What the layout asks about the screen, for the few things that style alone cannot do. In em, as in the styles: who
// sets larger letters has less room.

import { MediaQuery } from 'svelte/reactivity'

/** Table, question and panel beside each other. */
export const desk = new MediaQuery('(min-width: 68.75em)', true)
/** One column, one thumb. */
export const phone = new MediaQuery('(max-width: 43.6875em)', false)
