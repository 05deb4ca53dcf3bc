// How cards are drawn: the sign of what a card does, and its ground.

import type { SignName } from '../../ui/signs'
import { cards } from './parts'

/** The heroes of one number all do the same. */
const heroSigns: Record<number, SignName> = {
  1: 'guess',
  2: 'look',
  3: 'fight',
  4: 'token',
  5: 'foresee',
  6: 'rally',
}
const thanosSigns: Record<string, SignName> = {
  outrider: 'guess',
  'mind-stone': 'guess',
  'corvus-glaive': 'down',
  'soul-stone': 'up',
  'black-dwarf': 'fight',
  'space-stone': 'fight',
  'proxima-midnight': 'token',
  'power-stone': 'token',
  'ebony-maw': 'sift',
  'reality-stone': 'sift',
  'time-stone': 'copy',
  thanos: 'crown',
}
const heroGrounds: Record<number, string> = {
  1: '#f4cd63',
  2: '#93cfc2',
  3: '#f0a189',
  4: '#9fbdec',
  5: '#c9aee2',
  6: '#f2b263',
}

export function numberOf(card: string): number {
  return cards[card]?.number ?? 0
}

export function signOfCard(card: string): SignName {
  return thanosSigns[card] ?? heroSigns[numberOf(card)] ?? 'cards'
}

export function groundOf(card: string): string {
  const facts = cards[card]
  if (facts?.stone) return '#2b2140'
  return facts?.deck === 'thanos' ? '#6a4a8c' : (heroGrounds[numberOf(card)] ?? '#93cfc2')
}
