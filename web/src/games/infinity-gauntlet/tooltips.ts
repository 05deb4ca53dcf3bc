import type { Sentences } from '../../i18n/sentences'
import type { TooltipContent } from '../../ui/tooltip.svelte'
import { numberOf } from './cards'
import { rulesOfCard } from './rules'
import type { View } from './view'

/** The possible outcome of an action: the effect of its card, or of the card that asks for a choice. */
export function explain(action: string, view: View, sentences: Sentences): string | null {
  const [verb, card] = action.split(' ')
  if ((verb === 'play' || verb === 'copy') && card) return effect(sentences, card, view)
  if (verb === 'choose' && view.effect) return effect(sentences, view.effect, view)
  return null
}

/** What a card does at this table: without what holds with two players where there are more. */
export function effect(sentences: Sentences, card: string, { players }: View): string {
  return (players > 2 && sentences.text(`effect.${card}.several`)) || sentences.text(`effect.${card}`)
}

export function cardTooltip(sentences: Sentences, card: string): TooltipContent {
  return {
    title: `${numberOf(card) || ''} · ${sentences.card(card)}`,
    text: sentences.text(`effect.${card}`),
    rules: rulesOfCard(card),
  }
}
