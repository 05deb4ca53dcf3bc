// Taking tokens: colours are tapped one after another; which may follow is read off the list of legal actions.

import { getContext, setContext } from 'svelte'
import { costColours } from '../art/signs'
import type { Choices } from '../lib/choices.svelte'

export class Takes {
  picked = $state.raw<readonly string[]>([])

  constructor(private readonly choices: Choices) {}

  private get legal(): string[][] {
    return this.choices.of('take')
  }

  /** Legal takes that hold all of these colours, as often as they stand there. */
  private holding(colours: readonly string[]): string[][] {
    return this.legal.filter((take) =>
      costColours.every((colour) => count(take, colour) >= count(colours, colour)),
    )
  }

  can(colour: string): boolean {
    if (!(costColours as readonly string[]).includes(colour)) return false
    return this.holding([...this.present, colour]).length > 0 || this.present.includes(colour)
  }

  /** What is picked, as long as it can still become a legal take. */
  get present(): readonly string[] {
    return this.holding(this.picked).length ? this.picked : []
  }

  count(colour: string): number {
    return count(this.present, colour)
  }

  tap(colour: string): void {
    const more = [...this.present, colour]
    const next = this.holding(more).length ? more : this.present.filter((other) => other !== colour)
    this.picked = next
    const exact = this.legal.find((take) => take.length === next.length && costColours.every((c) => count(take, c) === count(next, c)))
    this.choices.selected = exact ? `take ${exact.join(' ')}` : null
  }

  clear(): void {
    this.picked = []
    if (this.choices.selected?.startsWith('take ')) this.choices.selected = null
  }
}

function count(colours: readonly string[], colour: string): number {
  return colours.filter((other) => other === colour).length
}

const KEY = Symbol('takes')
export const provideTakes = (takes: Takes): Takes => setContext(KEY, takes)
export const useTakes = (): Takes => getContext<Takes>(KEY)
