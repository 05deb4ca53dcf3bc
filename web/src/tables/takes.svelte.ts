// Taking tokens: colours are tapped one after another; which may follow is read off the list of legal actions.

import { getContext, setContext } from 'svelte'
import { costColours } from '../art/signs'
import type { Choices } from '../lib/choices.svelte'

export class Takes {
  private picked = $state.raw<{ round: number; colours: readonly string[] }>({ round: -1, colours: [] })

  constructor(private readonly choices: Choices) {}

  private get legal(): string[][] {
    return this.choices.of('take')
  }

  /** Legal takes that hold all of these colours, as often as they stand there. */
  private holding(colours: readonly string[]): string[][] {
    return this.legal.filter((take) => costColours.every((colour) => count(take, colour) >= count(colours, colour)))
  }

  can(colour: string): boolean {
    if (!(costColours as readonly string[]).includes(colour)) return false
    return this.holding([...this.present, colour]).length > 0 || this.present.includes(colour)
  }

  /** What is picked, as long as it belongs to this choice and nothing else was picked since. */
  get present(): readonly string[] {
    const { round, colours } = this.picked
    const other = this.choices.selected !== null && !this.choices.selected.startsWith('take ')
    return round === this.choices.round && !other && this.holding(colours).length ? colours : []
  }

  count(colour: string): number {
    return count(this.present, colour)
  }

  tap(colour: string): void {
    const more = [...this.present, colour]
    const next = this.holding(more).length ? more : this.present.filter((other) => other !== colour)
    this.picked = { round: this.choices.round, colours: next }
    const exact = this.legal.find(
      (take) => take.length === next.length && costColours.every((c) => count(take, c) === count(next, c)),
    )
    this.choices.selected = exact ? `take ${exact.join(' ')}` : null
  }
}

function count(colours: readonly string[], colour: string): number {
  return colours.filter((other) => other === colour).length
}

const KEY = Symbol('takes')
export const provideTakes = (takes: Takes): Takes => setContext(KEY, takes)
export const useTakes = (): Takes => getContext<Takes>(KEY)
