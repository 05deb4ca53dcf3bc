// The legal actions and the one that is selected. Select, then confirm; one tap does both where nothing can go wrong, and
// everywhere with the setting "quick" (docs/decisions/165-one-tap-where-nothing-can-go-wrong.md).

import { getContext, setContext, untrack } from 'svelte'
import { settings } from './settings.svelte'

export class Selection {
  legal = $state.raw<readonly string[]>([])
  /** Asked for every card on the table, several times. */
  private readonly legalSet = $derived(new Set(this.legal))
  selected = $state<string | null>(null)
  /** What is still missing of a selection that takes several taps, in words. */
  unfinished = $state<string | null>(null)
  /** An action was sent and the server has not answered yet. */
  sending = $state(false)
  /** Increases whenever the selection starts anew: a selection made of several taps is void then. */
  version = $state(0)

  /** It is for a later turn: nothing is played yet. */
  isPlan = $state(false)

  /** The one legal action, if there is no other: it is selected from the start. */
  private readonly only = $derived(!this.isPlan && this.legal.length === 1 ? this.legal[0]! : null)
  /** Each answer is a word, such as "fight" or "decline", and names no card, seat or colour: its button plays it. */
  readonly isInWords = $derived(
    !this.isPlan && this.legal.length > 1 && this.legal.every((action) => !action.includes(' ')),
  )

  constructor(
    private readonly choose: (action: string) => void,
    /** Asks the server why an action is not legal; it answers with the rule. */
    private readonly askWhy: ((action: string) => void) | null = null,
  ) {}

  /** Called from effects that depend on the view. Its own reads are untracked, so that they do not depend on these too. */
  setLegal(legal: readonly string[]): void {
    untrack(() => {
      if (legal === this.legal) return
      this.legal = legal
      this.version += 1
      this.unfinished = null
      if (this.selected === null || !legal.includes(this.selected)) this.selected = this.only
    })
  }

  isLegal(action: string | null | undefined): action is string {
    return action !== null && action !== undefined && this.legalSet.has(action)
  }

  /** For each legal action of a verb the words after the verb. */
  argumentsOf(verb: string): string[][] {
    return this.legal
      .map((action) => action.split(' '))
      .filter(([first]) => first === verb)
      .map(([, ...rest]) => rest)
  }

  /** Selects a legal action, or deselects it if it was selected. */
  select(action: string): void {
    if (!this.isLegal(action) || this.sending) return
    if (settings.quick || this.isInWords || this.only) this.send(action)
    else {
      this.unfinished = null
      this.selected = this.selected === action ? null : action
    }
  }

  /** Selects an action that somebody else proposed; it is never sent at once. */
  propose(action: string): void {
    if (!this.isLegal(action) || this.sending) return
    this.unfinished = null
    this.selected = action
  }

  canExplain(action: string | null): action is string {
    return action !== null && this.askWhy !== null && this.legal.length > 0 && !this.isLegal(action)
  }

  explain(action: string): void {
    if (this.canExplain(action) && !this.sending) this.askWhy?.(action)
  }

  confirm(): void {
    if (this.selected !== null) this.send(this.selected)
  }

  /** Sends an action that was typed: one that is not legal is refused with its reason. */
  sendTyped(action: string): void {
    if (this.isLegal(action)) this.send(action)
    else this.explain(action)
  }

  /** There is nothing to choose among. */
  get isOnly(): boolean {
    return this.only !== null
  }

  /** Something is selected, or begun, that can be taken back. */
  get canCancel(): boolean {
    return !this.isOnly && (this.selected !== null || this.unfinished !== null)
  }

  cancel(): void {
    this.selected = this.only
    this.unfinished = null
    this.version += 1
  }

  private send(action: string): void {
    if (this.sending) return
    this.cancel()
    this.choose(action)
  }
}

const KEY = Symbol('selection')

export function provideSelection(selection: Selection): Selection {
  return setContext(KEY, selection)
}

export function useSelection(): Selection {
  return getContext<Selection>(KEY)
}
