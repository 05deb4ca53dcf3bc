import { gauntletFaces } from '../art/infinityGauntletFaces'
import type { Speaker } from '../lib/speaker'
import type { TipContent } from '../lib/tip.svelte'

/** The rules that say what a card does. */
const cardRules: Record<string, string[]> = {
  outrider: ['IG-61'],
  'mind-stone': ['IG-62'],
  'corvus-glaive': ['IG-63'],
  'soul-stone': ['IG-64'],
  'black-dwarf': ['IG-65'],
  'space-stone': ['IG-66'],
  'proxima-midnight': ['IG-69'],
  'power-stone': ['IG-69'],
  'ebony-maw': ['IG-70'],
  'reality-stone': ['IG-71'],
  'time-stone': ['IG-72'],
  thanos: ['IG-14', 'IG-21'],
}
const heroRules: string[][] = [['IG-51'], ['IG-53'], ['IG-55'], ['IG-56'], ['IG-57'], ['IG-59']]

export function rulesOfCard(card: string): string[] {
  return cardRules[card] ?? heroRules[(gauntletFaces.get(card)?.number ?? 0) - 1] ?? []
}

export function gauntletTip(speaker: Speaker, card: string): TipContent {
  const face = gauntletFaces.get(card)
  return {
    title: `${face?.number ?? ''} · ${speaker.card(card)}`,
    text: speaker.say(`effect.${card}`),
    rules: rulesOfCard(card),
    game: speaker.game,
  }
}
