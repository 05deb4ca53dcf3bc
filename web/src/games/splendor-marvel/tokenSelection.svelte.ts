// Tokens to take, selected one after another. Which may follow is read from the list of legal actions.

import { t } from '../../i18n/language.svelte'
import type { Selection } from '../../state/selection.svelte'
import { colours } from './parts'

export class TokenSelection {
  private picked = $state.raw<{ version: number; colours: readonly string[] }>({ version: -1, colours: [] })

  private readonly legal = $derived.by(() => this.selection.argumentsOf('take'))

  /** The selected colours; void once the selection has started anew or something else is selected. */
  readonly colours: readonly string[] = $derived.by(() => {
    const { version, colours: picked } = this.picked
    // A whole take may also have been selected by somebody else: a hint.
    const [verb, ...words] = this.selection.selected?.split(' ') ?? []
    if (verb) return verb === 'take' ? words : []
    return version === this.selection.version && this.containing(picked).length ? picked : []
  })

  constructor(private readonly selection: Selection) {}

  /** The legal takes that contain all of these colours, each as often as it is named. */
  private containing(wanted: readonly string[]): string[][] {
    return this.legal.filter((take) => colours.every((colour) => count(take, colour) >= count(wanted, colour)))
  }

  canToggle(colour: string): boolean {
    if (!(colours as readonly string[]).includes(colour)) return false
    return this.containing([...this.colours, colour]).length > 0 || this.colours.includes(colour)
  }

  count(colour: string): number {
    return count(this.colours, colour)
  }

  /** Adds one token of a colour, or removes all of that colour when no legal take has more. */
  toggle(colour: string): void {
    const more = [...this.colours, colour]
    const next = this.containing(more).length ? more : this.colours.filter((other) => other !== colour)
    this.picked = { version: this.selection.version, colours: next }
    const exact = this.legal.find(
      (take) => take.length === next.length && colours.every((each) => count(take, each) === count(next, each)),
    )
    this.selection.selected = exact ? `take ${exact.join(' ')}` : null
    const left = Math.min(...this.containing(next).map((take) => take.length)) - next.length
    this.selection.unfinished = next.length && !exact ? t('splendor-marvel.table.bank.more', { n: left }) : null
  }
}

function count(words: readonly string[], word: string): number {
  return words.filter((other) => other === word).length
}
