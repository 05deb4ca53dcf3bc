// The views of the three games, as CONTRACT names their keys.

import type { GemColour, MantisColour } from '../art/signs'
import type { Line, View } from '../lib/protocol'
import type { Speaker } from '../lib/speaker'

export interface GauntletSeat {
  role: 'thanos' | 'hero'
  hand_size: number
  hand: string[] | null
  face_up: string[]
  tokens: number
}

export interface GauntletView extends View {
  thanos: number
  life: { heroes: number; thanos: number }
  decks: { hero: number; thanos: number }
  seats: GauntletSeat[]
}

export interface MantisView extends View {
  draw: { size: number; back: MantisColour[] | null }
  goal: number
  icons: boolean
  seats: { tank: Record<MantisColour, number>; score: number }[]
}

export type Counts = Partial<Record<GemColour, number>>

export interface SplendorSeat {
  tokens: Counts
  bonuses: Counts
  points: number
  avengers: number
  cards: string[]
  reserved: { level: number; card: string | null }[]
  locations: string[]
  /** How far this seat is on the way to the Gauntlet (SM-30). */
  gauntlet: { points: number; colours: number; green: boolean; met: boolean }
}

export interface SplendorView extends View {
  bank: Counts
  rows: Record<string, (string | null)[]>
  decks: Record<string, number>
  locations: string[]
  avengers_tile: number | null
  /** The payment that is being put together. */
  paying: { seat: number; card: string; payment: Counts } | null
  /** What each card on offer costs the viewer after bonuses, and how many grey tokens that takes. */
  prices: Record<string, Counts & { grey_needed: number }>
  affordable: string[]
  seats: SplendorSeat[]
}

/** How a seat stands at the table, beside the cards: what a drawing shows with the name. */
export interface SeatState {
  name: string
  /** The level of a bot; null for a person. */
  level: string | null
  online: boolean
  standIn: boolean
  /** When the time for this move runs out, in milliseconds since 1970. */
  deadline: number | null
}

/** All that a drawing of a table needs, live, in a replay or in a lesson. */
export interface Scene<V extends View = View> {
  view: V
  log: readonly Line[]
  /** Lines from here on came with the present view. */
  fresh: number
  speaker: Speaker
  seats: readonly SeatState[]
}

/** The other seats, clockwise from the viewer (from seat 0 for a spectator). */
export function others(view: View): number[] {
  const from = view.seat ?? -1
  return Array.from({ length: view.players }, (_, i) => (from + 1 + i + view.players) % view.players).filter(
    (seat) => seat !== view.seat,
  )
}
