// The script of a game's stage: which of its events are shown large in the middle of the table, and how. A game's folder
// has it in `stage.ts`; a game without one gets plain beats, which show who acts and the sentence of the event.

import type { Component } from 'svelte'
import type { Line, View } from '../api/protocol'
import type { Sentences } from '../i18n/sentences'
import type { SoundName } from '../sound/sounds'

/** What is shown and heard of one event. */
export interface Beat<Piece = unknown> {
  /** What is drawn large; the game's `Piece` draws it. */
  piece?: Piece
  /** `wide`: more than one card lies beside another, and the words stand below. `whole`: it takes all of the table. */
  size?: 'card' | 'wide' | 'whole'
  /** Who acts, and whom it concerns. */
  seat?: number
  target?: number
  /** An arrow points to this `data-place`. */
  arrow?: string
  /** The piece comes from this `data-place`. */
  from?: string
  /** The piece goes to its place on the table at the end (`moves` of the game says where). */
  travels?: boolean
  /** What led to the event, above its words: who played which card. */
  cause?: string
  /** What the card does; without words the sentence of the event, which otherwise stands above them. */
  words?: string
  /** In place of the event's sentence, where that one lists much. */
  short?: string
  /** Before the event shows what comes of it. */
  opening?: string
  /** The words tell more than the event's own sentence: screen readers read them after it. */
  spoken?: boolean
  /** Depends on what everybody at the table can see, and on nothing else: it can be heard by others. */
  sound?: SoundName
}

export interface BeatContext<V extends View = View> {
  /** The table before the event. */
  view: V
  /** The events so far, with this one at the end. */
  log: readonly Line[]
  sentences: Sentences
}

export interface Script<V extends View = View, Piece = unknown> {
  Piece: Component<{ piece: Piece; line: Line; context: BeatContext<V> }>
  /** What has won, drawn large at the end. */
  WinningBoard?: Component<{ view: V; winners: readonly number[] }>
  /** Every kind of event: null is a kind that the stage leaves out, because the table itself shows it. */
  beats: Readonly<Record<string, ((line: Line, context: BeatContext<V>) => Beat<Piece>) | null>>
}

/** Checks a script against its game's own types, and gives it the type that the page uses. */
export function defineScript<V extends View, Piece>(script: Script<V, Piece>): Script {
  return script as unknown as Script
}

const seatOf = (value: unknown): number | undefined => (typeof value === 'number' ? value : undefined)

/** Who acts, and on whom. */
export function between(line: Line): { seat?: number; target?: number } {
  const [seat, target] = [seatOf(line.seat), seatOf(line.target)]
  return { seat, target: target === seat ? undefined : target }
}

/** The beat of an event; null for one that the stage leaves out. */
export function beatOf(script: Script | null, line: Line, context: BeatContext): Beat | null {
  const make = script?.beats[line.kind]
  if (make === null) return null
  return make ? make(line, context) : between(line)
}
