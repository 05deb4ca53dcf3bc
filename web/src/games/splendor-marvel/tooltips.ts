import { t } from '../../i18n/language.svelte'
import type { Sentences } from '../../i18n/sentences'
import { phone } from '../../ui/screen'
import type { TooltipContent } from '../../ui/tooltip.svelte'
import { cards, colours, locations } from './parts'
import type { Card, Colour, Price, Token, View } from './view'

/** The name of a token: "blue (Space Stone)". */
export function tokenName(sentences: Sentences, token: Token): string {
  return sentences.text(`token.${token}`) || sentences.text(`colour.${token}`)
}

const colourName = (sentences: Sentences, colour: Token) => sentences.text(`colour.${colour}`)

/** "blue ×2, red ×1": a colour's name stays the same for every number. */
function costText(sentences: Sentences, cost: Record<Colour, number>, nameOf = tokenName): string {
  return colours
    .filter((colour) => cost[colour] > 0)
    .map((colour) => `${nameOf(sentences, colour)} ×${cost[colour]}`)
    .join(', ')
}

function bonusText(sentences: Sentences, { bonus, points, avengers }: Card): string {
  return t('splendor-marvel.table.card.bonus', { colour: colourName(sentences, bonus), points, avengers })
}

function priceText(sentences: Sentences, price: Price, nameOf = tokenName): string {
  return t('splendor-marvel.table.card.price', {
    cost: costText(sentences, price, nameOf) || '0',
    grey: price.grey_needed,
  })
}

function printedText(sentences: Sentences, card: Card): string[] {
  return [t('splendor-marvel.table.card.cost', { cost: costText(sentences, card.cost) }), bonusText(sentences, card)]
}

/** The Time Stone, which some cards bring. */
function stoneText(card: Card): string[] {
  return card.green ? [t('splendor-marvel.table.card.green')] : []
}

/** What a card brings to who recruits it. */
export function bringsText(sentences: Sentences, id: string): string {
  const card = cards[id]
  return card ? [bonusText(sentences, card), ...stoneText(card)].join(' ') : ''
}

/** All that is printed on a character card, and what it would cost this viewer. */
export function cardTooltip(sentences: Sentences, id: string, price: Price | undefined): TooltipContent {
  const card = cards[id]
  if (!card) return { title: sentences.card(id), text: '' }
  const words = printedText(sentences, card)
  if (price) words.push(priceText(sentences, price))
  words.push(...stoneText(card))
  return { title: sentences.card(id), text: words.join(' '), rules: ['SM-15', 'SM-16'] }
}

/** What this viewer lacks to recruit a card, if that is more than grey tokens can replace; '' otherwise. */
export function lacksText(view: View, sentences: Sentences, id: string): string {
  const [price, own] = [view.prices[id], view.seat === null ? undefined : view.seats[view.seat]?.tokens]
  if (!price || !own || price.grey_needed <= own.grey) return ''
  const lacking = Object.fromEntries(colours.map((colour) => [colour, Math.max(0, price[colour] - own[colour])]))
  return t('splendor-marvel.table.card.lacks', {
    cost: costText(sentences, lacking as Record<Colour, number>, colourName),
    grey: own.grey,
  })
}

/** The possible outcome of an action: what a card costs this viewer, and what it brings, in few words. */
export function explain(action: string, view: View, sentences: Sentences): string | null {
  const [verb, id = ''] = action.split(' ')
  if (verb === 'recruit') {
    const [card, price] = [cards[id], view.prices[id]]
    if (!card || !price) return cardTooltip(sentences, id, price).text
    const words = [priceText(sentences, price, colourName), bonusText(sentences, card)]
    return [...words, ...stoneText(card)].join(' ')
  }
  if (verb === 'reserve') {
    const lacks = lacksText(view, sentences, id)
    return lacks && !phone.current ? `${lacks} ${sentences.explanation(action)}` : lacks || null
  }
  if (verb === 'visit') return locationTooltip(sentences, id).text
  return null
}

/** One line for screen readers. */
export function cardLabel(sentences: Sentences, id: string): string {
  const card = cards[id]
  if (!card) return sentences.card(id)
  return `${sentences.card(id)}: ${[...printedText(sentences, card), ...stoneText(card)].join(' ')}`
}

export function locationTooltip(sentences: Sentences, id: string): TooltipContent {
  const location = locations[id]
  const text = location
    ? t('splendor-marvel.table.location.needs', {
        points: location.points,
        cost: costText(sentences, location.cost),
      })
    : ''
  return { title: sentences.card(id), text, rules: ['SM-22'] }
}
