// What the person may do now. Select, then confirm; with the quick setting one tap does both.

import { getContext, setContext, untrack } from 'svelte'
import { settings } from './settings.svelte'

export class Choices {
  legal = $state.raw<readonly string[]>([])
  selected = $state<string | null>(null)
  /** An action is on its way to the server. */
  sending = $state(false)

  /** Goes up whenever a choice begins anew: what was half put together before is void. */
  round = $state(0)

  constructor(
    private readonly choose: (action: string) => void,
    /** Asks the server why something is not possible now; it answers with the rule. */
    private readonly explain: ((action: string) => void) | null = null,
  ) {}

  /** Called from effects that follow the view: what is read here must not become what they follow. */
  offer(legal: readonly string[]): void {
    untrack(() => {
      if (legal === this.legal) return
      this.legal = legal
      this.round += 1
      if (this.selected !== null && !legal.includes(this.selected)) this.selected = null
    })
  }

  has(action: string | null | undefined): action is string {
    return action !== null && action !== undefined && this.legal.includes(action)
  }

  /** The legal actions of a verb, as the words after it. */
  of(verb: string): string[][] {
    return this.legal
      .map((action) => action.split(' '))
      .filter(([first]) => first === verb)
      .map(([, ...rest]) => rest)
  }

  pick(action: string): void {
    if (!this.has(action) || this.sending) return
    if (settings.quick) this.send(action)
    else this.selected = this.selected === action ? null : action
  }

  /** Whether a quiet thing can tell why it is quiet. */
  canAsk(action: string | null): action is string {
    return action !== null && this.explain !== null && this.legal.length > 0 && !this.has(action)
  }

  why(action: string): void {
    if (this.canAsk(action) && !this.sending) this.explain?.(action)
  }

  confirm(): void {
    if (this.selected !== null) this.send(this.selected)
  }

  /** Take the selection back. */
  drop(): void {
    this.selected = null
    this.round += 1
  }

  private send(action: string): void {
    if (this.sending) return
    this.drop()
    this.choose(action)
  }
}

const KEY = Symbol('choices')

export function provideChoices(choices: Choices): Choices {
  return setContext(KEY, choices)
}

export function useChoices(): Choices {
  return getContext<Choices>(KEY)
}
