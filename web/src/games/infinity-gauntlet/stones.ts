// Ink and sign of the stones: a colour is never shown without its sign.

import type { SignName } from '../../ui/signs'
import { cards } from './parts'
import type { View } from './view'

export type Stone = 'mind' | 'soul' | 'space' | 'power' | 'reality' | 'time'

/** The stone of a card; null for the other cards. */
export function stoneOf(card: string): Stone | null {
  return cards[card]?.stone ? (card.replace('-stone', '') as Stone) : null
}

export const stones: readonly Stone[] = Object.keys(cards)
  .map(stoneOf)
  .filter((stone) => stone !== null)

/** The stones in the hand of Thanos, which a snap counts too: he alone sees them before it. */
export const heldStones = ({ seats, thanos }: View): string[] =>
  (seats[thanos]?.hand ?? []).filter((card) => stoneOf(card) !== null)

export const inkOf: Record<Stone, string> = {
  mind: '#f2bf2b',
  soul: '#ee8a2c',
  space: '#3579c6',
  power: '#8453ad',
  reality: '#d5402f',
  time: '#35a06d',
}

export const signOf: Record<Stone, SignName> = {
  mind: 'ring',
  soul: 'drop',
  space: 'cube',
  power: 'bolt',
  reality: 'eye',
  time: 'hourglass',
}
