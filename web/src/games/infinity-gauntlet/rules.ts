// The rule behind each question and each card, to read on from there.

import { numberOf } from './cards'
import type { View } from './view'

const thanosRules: Record<string, string[]> = {
  outrider: ['IG-61'],
  'mind-stone': ['IG-62', 'IG-21'],
  'corvus-glaive': ['IG-63'],
  'soul-stone': ['IG-64', 'IG-21'],
  'black-dwarf': ['IG-65'],
  'space-stone': ['IG-66', 'IG-67', 'IG-68', 'IG-21'],
  'proxima-midnight': ['IG-69'],
  'power-stone': ['IG-69', 'IG-21'],
  'ebony-maw': ['IG-70', 'IG-84'],
  'reality-stone': ['IG-71', 'IG-84', 'IG-21'],
  'time-stone': ['IG-72', 'IG-84', 'IG-21'],
  thanos: ['IG-14', 'IG-21'],
}
/** By the number of a hero card. */
const heroRules: Record<number, string[]> = {
  1: ['IG-51', 'IG-52'],
  2: ['IG-53', 'IG-54'],
  3: ['IG-55'],
  4: ['IG-56'],
  5: ['IG-57', 'IG-58'],
  6: ['IG-59'],
}
/** The questions that have a rule of their own; the others belong to the card that asks. */
const promptRules: Record<string, string> = {
  play: 'IG-12',
  'fight-with': 'IG-42',
  'give-up': 'IG-52',
  order: 'IG-57',
  'end-turn': 'IG-83',
}

/** No free chat while the game runs. */
export const TALK_RULE = 'IG-93'
/** The outcome of a snap. */
export const SNAP_RULE = 'IG-82'

export function rulesOfCard(card: string): string[] {
  return thanosRules[card] ?? heroRules[numberOf(card)] ?? []
}

export function promptRule({ prompt }: View): string | null {
  if (!prompt) return null
  const own = promptRules[prompt.key]
  if (own) return own
  return typeof prompt.card === 'string' ? (rulesOfCard(prompt.card)[0] ?? null) : null
}
