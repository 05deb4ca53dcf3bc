import { characterFaces, locationNeeds } from '../art/splendorMarvelFaces'
import { costColours } from '../art/signs'
import { t } from '../lib/language.svelte'
import type { Speaker } from '../lib/speaker'
import type { TipContent } from '../lib/tip.svelte'
import type { Counts } from './views'

/** "blue ×2, red ×1": a colour's name stays as it is, whatever the number. */
export function countWords(speaker: Speaker, counts: Counts, colours: readonly (keyof Counts)[] = costColours): string {
  return colours
    .filter((colour) => (counts[colour] ?? 0) > 0)
    .map((colour) => `${speaker.say(`token.${colour}`) || speaker.say(`colour.${colour}`)} ×${counts[colour]}`)
    .join(', ')
}

/** All that is printed on a character card, and what it would cost this viewer. */
export function characterTip(
  speaker: Speaker,
  card: string,
  price: (Counts & { grey_needed: number }) | undefined,
): TipContent {
  const face = characterFaces.get(card)
  if (!face) return { title: speaker.card(card), text: '' }
  const words = [
    t('table.splendor.card.cost', { cost: countWords(speaker, face.cost) }),
    t('table.splendor.card.bonus', {
      colour: speaker.say(`colour.${face.bonus}`),
      points: face.points,
      avengers: face.avengers,
    }),
  ]
  if (price)
    words.push(t('table.splendor.card.price', { cost: countWords(speaker, price) || '0', grey: price.grey_needed }))
  if (face.green) words.push(t('table.splendor.card.green'))
  return { title: speaker.card(card), text: words.join(' '), rules: ['SM-15', 'SM-16'], game: speaker.game }
}

/** One line for screen readers. */
export function characterLabel(speaker: Speaker, card: string): string {
  const face = characterFaces.get(card)
  return face
    ? `${speaker.card(card)}: ${t('table.splendor.card.cost', { cost: countWords(speaker, face.cost) })} ${t('table.splendor.card.bonus', { colour: speaker.say(`colour.${face.bonus}`), points: face.points, avengers: face.avengers })}`
    : speaker.card(card)
}

export function locationTip(speaker: Speaker, location: string): TipContent {
  return {
    title: speaker.card(location),
    text: t('table.splendor.location.needs', { cost: countWords(speaker, locationNeeds.get(location) ?? {}) }),
    rules: ['SM-22'],
    game: speaker.game,
  }
}
