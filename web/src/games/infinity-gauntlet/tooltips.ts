import type { Sentences } from '../../i18n/sentences'
import type { TooltipContent } from '../../ui/tooltip.svelte'
import { numberOf } from './cards'
import { rulesOfCard } from './rules'
import type { View } from './view'

/** The possible outcome of an action: the effect of its card, or of the card that asks for a choice. */
export function explain(action: string, view: View, sentences: Sentences): string | null {
  const [verb, card] = action.split(' ')
  if (verb === 'play' || verb === 'copy') return sentences.text(`effect.${card}`)
  if (verb === 'choose' && view.effect) return sentences.text(`effect.${view.effect}`)
  return null
}

export function cardTooltip(sentences: Sentences, card: string): TooltipContent {
  return {
    title: `${numberOf(card) || ''} · ${sentences.card(card)}`,
    text: sentences.text(`effect.${card}`),
    rules: rulesOfCard(card),
  }
}
