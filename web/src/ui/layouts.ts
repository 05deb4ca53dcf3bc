// The conditions of all layouts, each written once. Styles use them as `@media (--desk)`, which the build replaces
// (vite.config.ts); screen.ts has those that components ask about. In em, so that they follow the font size.

export const LAYOUTS = {
  /** Table, question and panel beside each other. */
  desk: '(min-width: 68.75em)',
  /** Phones and tablets. */
  'below-desk': '(max-width: 68.6875em)',
  /** One column. */
  phone: '(max-width: 43.6875em)',
  'above-phone': '(min-width: 43.75em)',
  /** As high as a phone on its side. */
  low: '(max-height: 30em)',
  'very-low': '(max-height: 26em)',
  'above-low': '(min-height: 30.0625em)',
  /** As high as a laptop's window. */
  'laptop-height': '(max-height: 61em)',
  /** High enough for larger cards. */
  tall: '(min-height: 56em)',
  /** A phone upright, lower than its screen, as browsers with their bars leave it: everything is as low as it can be, and
   *  the middle of the table takes the height that is left. A table's frame has the class `short` then, for the styles.
   *  Not with very large letters, which need a page that scrolls. */
  short: '(min-width: 19.0625em) and (--phone) and (--above-low) and (max-height: 48em)',
  /** A phone with very large letters. */
  'large-letters': '(max-width: 19em)',
  /** A phone on its side, or large letters in a low window: the question stands beside the board, not below it. */
  beside: '(min-width: 35em) and (--below-desk) and (--low)',
  /** A page on a phone on its side, or in any window as low. */
  'low-page': '(min-width: 35em) and (--low)',
  /** A phone, upright or on its side. */
  compact: '(--phone), (--below-desk) and (--low)',
  /** Not a phone. */
  roomy: '(--above-phone) and (--above-low), (--desk)',
  tablet: '(--above-phone) and (--below-desk) and (--above-low)',
  'narrow-desk': '(--desk) and (max-width: 80em)',
  /** A desk in a low window. */
  laptop: '(--desk) and (--laptop-height)',
  /** A laptop whose window is not lower than most. */
  'usual-laptop': '(--laptop) and (min-height: 48em)',
  /** A page in one column. */
  'narrow-page': '(max-width: 40em)',
  'narrow-low-page': '(--narrow-page) and (max-height: 50em)',
  /** A page on a tablet upright: three games do not fit beside each other. */
  'tablet-page': '(min-width: 40.0625em) and (max-width: 61.9375em) and (--above-low)',
  /** The home page on a laptop. */
  'laptop-page': '(min-width: 60em) and (max-height: 52em)',
  /** Rows of a list become two lines. */
  'narrow-list': '(max-width: 30em)',
} as const

export type Layout = keyof typeof LAYOUTS

/** A condition with the names in it replaced. */
export function mediaQuery(condition: string): string {
  const replaced = condition.split(', ').map((part) =>
    part.replace(/\(--([\w-]+)\)/g, (name, layout: string) => {
      if (!(layout in LAYOUTS)) throw new Error(`There is no layout ${name} in src/ui/layouts.ts.`)
      const meaning = mediaQuery(LAYOUTS[layout as Layout])
      // "a and (b, c)" would be read as "(a and b), c".
      if (meaning.includes(',') && part !== name) throw new Error(`${name} is a list: "${part}" cannot contain it.`)
      return meaning
    }),
  )
  return replaced.join(', ')
}

/** A style sheet with the names in its conditions replaced. */
export function withLayouts(styles: string): string {
  return styles.replace(/@media ([^{]*?)(?=\s*\{)/g, (_, condition: string) => `@media ${mediaQuery(condition)}`)
}
