// The pages that are loaded when they are wanted. The one that the address names is asked for before anything is drawn.

import type { Route } from './router.svelte'

export const pages = {
  open: () => import('../pages/OpenTable.svelte'),
  table: () => import('../pages/TablePage.svelte'),
  replay: () => import('../pages/Replay.svelte'),
  learn: () => import('../pages/Learn.svelte'),
  tutorial: () => import('../pages/Tutorial.svelte'),
  rules: () => import('../pages/Rules.svelte'),
  you: () => import('../pages/You.svelte'),
  return: () => import('../pages/Return.svelte'),
}

/** The browser fetches it now; who draws it later asks again and sees whether it came. */
export function fetchAhead(route: Route): void {
  if (route.page in pages) pages[route.page as keyof typeof pages]().catch(() => undefined)
}
