// Media queries for what CSS alone cannot do. In em, as in the styles, so that they follow the font size.

import { MediaQuery } from 'svelte/reactivity'

/** Table, question and panel beside each other. */
export const desk = new MediaQuery('(min-width: 68.75em)', true)
/** One column. */
export const phone = new MediaQuery('(max-width: 43.6875em)', false)
/** A phone upright, lower than its screen, as browsers with their bars leave it: everything is as low as it can be, and the
 *  middle of the table takes the height that is left. A table's frame has the class `short` then, for the styles. Not with
 *  very large letters, which need a page that scrolls. */
export const short = new MediaQuery(
  '(min-width: 19.0625em) and (max-width: 43.6875em) and (min-height: 30.0625em) and (max-height: 48em)',
  false,
)
/** A low window: the question stands beside the board, not below it. */
export const beside = new MediaQuery('(min-width: 35em) and (max-width: 68.6875em) and (max-height: 30em)', false)
