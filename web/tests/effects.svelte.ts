import { flushSync } from 'svelte'

/** Runs effects outside of a component; the function that is returned ends them. */
export function withEffects(start: () => void): () => void {
  const stop = $effect.root(start)
  flushSync()
  return stop
}
