// Media queries for what CSS alone cannot do. In em, as in the styles, so that they follow the font size.

import { MediaQuery } from 'svelte/reactivity'

/** Table, question and panel beside each other. */
export const desk = new MediaQuery('(min-width: 68.75em)', true)
/** One column. */
export const phone = new MediaQuery('(max-width: 43.6875em)', false)
/** A low window: the question stands beside the board, not below it. */
export const beside = new MediaQuery('(min-width: 35em) and (max-width: 68.6875em) and (max-height: 30em)', false)
