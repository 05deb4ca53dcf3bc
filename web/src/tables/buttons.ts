// Which legal actions get a button below the question. Those of a card in hand, a token or a number lie on the thing itself.

import type { Choices } from '../lib/choices.svelte'
import type { View } from '../lib/protocol'

const onThings: Record<string, ReadonlySet<string>> = {
  'infinity-gauntlet': new Set(['play', 'fight-with', 'give-up', 'bottom', 'guess', 'order']),
  mantis: new Set(),
  'splendor-marvel': new Set(['take', 'reserve', 'recruit', 'return', 'grey', 'pay']),
}

const places = new Set(['score', 'steal', 'take', 'choose', 'copy', 'visit'])

/** Whether an action can also be picked on a plate, a card or a tile. */
export function liesOnTable(action: string): boolean {
  return places.has(action.split(' ')[0]!)
}

export function buttonsFor(view: View, choices: Choices): string[] {
  const things = onThings[view.game] ?? new Set<string>()
  const buttons = choices.legal.filter((action) => !things.has(action.split(' ')[0]!))
  // A card on the table can be recruited or reserved: once it is picked, both are offered by name.
  const [verb, card] = choices.selected?.split(' ') ?? []
  if (view.game === 'splendor-marvel' && (verb === 'recruit' || verb === 'reserve') && !card!.startsWith('level-')) {
    const both = [`recruit ${card}`, `reserve ${card}`]
    if (both.some((action) => choices.canAsk(action)) || both.every((action) => choices.has(action)))
      buttons.push(...both)
  }
  return buttons
}
