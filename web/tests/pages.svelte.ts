// Two pages for tests of the router: one that is loaded, and one that never is.
import type { Page } from '../src/state/router.svelte'

/** What the first of them was given, each time it changed. */
export const seen: Record<string, unknown>[] = []

export const corePages: readonly Page[] = [
  {
    name: 'first',
    match: ([first, table]) => (first === 'first' ? { table } : null),
    load: () => import('./TestPage.svelte'),
  },
  {
    name: 'second',
    match: ([first, game]) => (first === 'second' ? { game } : null),
    load: () => new Promise(() => undefined),
  },
]
