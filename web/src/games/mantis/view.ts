// Generated from src/tavolino/games/mantis/view.py by `python -m tavolino.engine.typescript`. Do not edit.

import type { View as CommonView } from '../../api/protocol'

export type Colour = 'red' | 'orange' | 'yellow' | 'green' | 'blue' | 'purple' | 'pink'

export type Icon = 'another-turn' | 'steal-a-card' | 'score-and-steal'

/** The draw pile: how many cards, and the three colours on the back of the top card. */
export interface Draw {
  size: number
  back: Colour[] | null
}

export interface Seat {
  tank: Record<Colour, number>
  score: number
}

export interface View extends CommonView {
  draw: Draw
  goal: number
  icons: boolean
  seats: Seat[]
}

/** The cards that can be on top. */
export interface DrawPlaces {
  top: string[]
}

export interface Places {
  draw: DrawPlaces
}

export interface Notebook {
  unseen: Record<string, number>
  unseen_colours: Record<Colour, number>
  unseen_icons: Record<string, number>
  places: Places
  known: Record<string, string>
}

export interface Card {
  icon: Icon | null
}

export interface Parts {
  colours: Colour[]
  cards: Record<string, Card>
}
