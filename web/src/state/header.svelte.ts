// Where the page's header stands: above everything, but below a table in a short window.

import { untrack } from 'svelte'
import { short } from '../ui/screen'
import { router } from './router.svelte'

const state = $state({ rooms: 0 })

export const header = {
  get isBelow(): boolean {
    return short.current && router.route.page?.hasTable === true && state.rooms === 0
  },
}

/** For a component that is no table though its address is that of one: guests choose their language in a waiting room. */
export function keepHeaderAbove(): void {
  $effect.pre(() => {
    untrack(() => (state.rooms += 1))
    return () => (state.rooms -= 1)
  })
}
