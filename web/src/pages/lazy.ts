// Pages in chunks of their own. The chunk that the address names is requested before anything is rendered.

import type { Route } from '../state/router.svelte'

export const pages = {
  open: () => import('./OpenTable.svelte'),
  table: () => import('./TablePage.svelte'),
  replay: () => import('./Replay.svelte'),
  watch: () => import('./Watch.svelte'),
  review: () => import('./Review.svelte'),
  learn: () => import('./Learn.svelte'),
  tutorial: () => import('./Tutorial.svelte'),
  rules: () => import('./Rules.svelte'),
  you: () => import('./You.svelte'),
  history: () => import('./History.svelte'),
  circles: () => import('./Circles.svelte'),
  circle: () => import('./Circle.svelte'),
  daily: () => import('./Daily.svelte'),
  puzzles: () => import('./Puzzles.svelte'),
  puzzle: () => import('./Puzzle.svelte'),
  return: () => import('./Return.svelte'),
}

/** Starts the request; whoever renders the page later gets its result or its error. */
export function preloadPage(route: Route): void {
  if (route.page in pages) pages[route.page as keyof typeof pages]().catch(() => undefined)
}
