import type { Sentences } from '../../i18n/sentences'
import type { TooltipContent } from '../../ui/tooltip.svelte'
import { numberOf } from './cards'
import { rulesOfCard } from './rules'

export function cardTooltip(sentences: Sentences, card: string): TooltipContent {
  return {
    title: `${numberOf(card) || ''} · ${sentences.card(card)}`,
    text: sentences.text(`effect.${card}`),
    rules: rulesOfCard(card),
  }
}
