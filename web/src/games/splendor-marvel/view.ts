// Generated from src/tavolino/games/splendor_marvel/view.py by `python -m tavolino.engine.typescript`. Do not edit.

import type { View as CommonView } from '../../api/protocol'

export type Colour = 'yellow' | 'blue' | 'red' | 'orange' | 'purple'

export type Token = 'yellow' | 'blue' | 'red' | 'orange' | 'purple' | 'grey' | 'green'

export type Payable = 'yellow' | 'blue' | 'red' | 'orange' | 'purple' | 'grey'

/** What a card costs a seat after bonuses, and how many grey tokens that takes. */
export interface Price {
  yellow: number
  blue: number
  red: number
  orange: number
  purple: number
  grey_needed: number
}

/** The payment that is being put together, open to all (SM-17). */
export interface Paying {
  seat: number
  card: string
  payment: Record<Payable, number>
}

/** `card` is null for who has not seen it. */
export interface Reserved {
  level: number
  card: string | null
}

/** How far a seat is on the way to the Gauntlet (SM-30). */
export interface Gauntlet {
  points: number
  colours: number
  green: boolean
  met: boolean
}

export interface Seat {
  tokens: Record<Token, number>
  bonuses: Record<Colour, number>
  points: number
  avengers: number
  cards: string[]
  locations: string[]
  reserved: Reserved[]
  gauntlet: Gauntlet
}

/** What the Gauntlet takes besides the Time Stone (SM-30). */
export interface Goal {
  points: number
  colours: number
}

/** How many symbols the tile takes, and how many points it brings (SM-21). */
export interface AvengersTile {
  symbols: number
  points: number
}

export interface Table {
  round: number
  first: number
  bank: Record<Token, number>
  rows: Record<string, (string | null)[]>
  decks: Record<string, number>
  locations: string[]
  avengers_tile: number | null
  paying: Paying | null
  goal: Goal
  tile: AvengersTile
}

export interface View extends CommonView {
  round: number
  first: number
  bank: Record<Token, number>
  rows: Record<string, (string | null)[]>
  decks: Record<string, number>
  locations: string[]
  avengers_tile: number | null
  paying: Paying | null
  goal: Goal
  tile: AvengersTile
  prices: Record<string, Price>
  affordable: string[]
  seats: Seat[]
}

export interface HiddenCard {
  seat: number
  place: number
  level: number
}

export interface KnownCard {
  seat: number
  place: number
  level: number
  card: string
  open: boolean
}

export interface PossibleCards {
  seat: number
  place: number
  level: number
  cards: string[]
}

export interface Known {
  reserved: KnownCard[]
}

export interface DeckPlaces {
  size: number
  cards: string[]
}

export interface Places {
  decks: Record<string, DeckPlaces>
  reserved: PossibleCards[]
}

export interface Notebook {
  known: Known
  places: Places
  unseen: Record<string, number>
}

export interface Card {
  level: number
  bonus: Colour
  points: number
  avengers: number
  green: boolean
  cost: Record<Colour, number>
}

export interface Location {
  side: string
  points: number
  cost: Record<Colour, number>
}

export interface Parts {
  colours: Colour[]
  tokens: Token[]
  cards: Record<string, Card>
  locations: Record<string, Location>
}
