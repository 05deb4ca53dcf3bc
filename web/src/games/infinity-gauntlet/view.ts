// Generated from src/tavolino/games/infinity_gauntlet/view.py by `python -m tavolino.engine.typescript`. Do not edit.

import type { View as CommonView } from '../../api/protocol'

export type Role = 'thanos' | 'hero'

export interface Life {
  heroes: number
  thanos: number
}

export interface DeckSizes {
  hero: number
  thanos: number
}

/** `hand` is null for everybody but its owner; after a snap that of Thanos is open to all. */
export interface Seat {
  role: Role
  hand_size: number
  hand: string[] | null
  face_up: string[]
  tokens: number
}

export interface Table {
  thanos: number
  turn: number
  turns_left: number
  life: Life
  decks: DeckSizes
  stones: string[]
  effect: string | null
  target: number | null
  token_bonus: number
}

export interface View extends CommonView {
  thanos: number
  turn: number
  turns_left: number
  life: Life
  decks: DeckSizes
  stones: string[]
  effect: string | null
  target: number | null
  token_bonus: number
  seats: Seat[]
}

/** Of each place of a deck, from the top: the cards that can be there. */
export interface DeckPlaces {
  hero: string[][]
  thanos: string[][]
}

/** Known cards by their place from the top, beginning with 1. */
export interface KnownInDecks {
  hero: Record<string, string>
  thanos: Record<string, string>
}

export interface Places {
  hands: string[][][]
  decks: DeckPlaces
}

export interface Known {
  hands: string[][]
  decks: KnownInDecks
}

export interface Deduction {
  key: 'strong' | 'seen' | 'tie' | 'tie-higher' | 'tie-lower'
  seat: number | null
  card: string | null
  numbers: number[]
  bottom: number
}

/** `together` has what no single place can tell: sentences about several of them. */
export interface Notebook {
  unseen: Record<string, number>
  places: Places
  known: Known
  together: Deduction[]
}

export interface Card {
  deck: Role
  number: number
  copies: number
  stone: boolean
}

export interface Parts {
  cards: Record<string, Card>
}
