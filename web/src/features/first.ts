// What features show on the first page and above every page: loaded with it.

import type { Component } from 'svelte'
import { inOrder } from './registry.svelte'

export const topBars = inOrder(
  import.meta.glob<Component>('../features/*/TopBar.svelte', { eager: true, import: 'default' }),
)
export const homeTops = inOrder(
  import.meta.glob<Component>('../features/*/HomeTop.svelte', { eager: true, import: 'default' }),
)
export const homeLinks = inOrder(
  import.meta.glob<Component<{ returning?: boolean }>>('../features/*/HomeLink.svelte', {
    eager: true,
    import: 'default',
  }),
)
export const homeChoices = inOrder(
  import.meta.glob<Component<{ game: string }>>('../features/*/HomeChoice.svelte', { eager: true, import: 'default' }),
)
