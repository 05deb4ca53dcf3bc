// What the server has told about actions: the verb and the parameters of each text, from which its label is built.

import { untrack } from 'svelte'
import { SvelteMap } from 'svelte/reactivity'
import type { Description } from '../api/protocol'

type Described = Readonly<Record<string, Description>>

export class KnownActions {
  /** A label that was drawn before its action was known is drawn again. */
  private readonly known = new SvelteMap<string, Description>()

  constructor(described: Described = {}) {
    this.learn(described)
  }

  learn(described: Described): void {
    untrack(() => {
      for (const [action, description] of Object.entries(described))
        if (!this.known.has(action)) this.known.set(action, description)
    })
  }

  of(action: string): Description | undefined {
    return this.known.get(action)
  }
}
