// The interface between the page and the drawing of one game. A game's folder exports one GameUI from its index.ts;
// everything else in the page works through it and names no game.

import type { Component } from 'svelte'
import type { Description, Line, View } from '../api/protocol'
import type { Loaders } from '../i18n/language.svelte'
import type { Sentences } from '../i18n/sentences'
import type { Selection } from '../state/selection.svelte'
import type { Timing } from './presentation.svelte'
import type { Scene } from './scene'
import type { Standing, Summary } from './standings'
import type { Speech } from './speech'

/** One card or token that travels over the table. `Piece` is what the game's `MovingPiece` draws. */
export interface CardMove<Piece = unknown> {
  /** Values of `data-place`. A finer place than the table marks falls back: `tank-2-red` to `tank-2`. */
  from: string
  to: string
  /** Starts when the move before it has ended. */
  afterPrevious?: boolean
  /** A hidden card has no id in its event, so it can only be drawn as a back. */
  piece: Piece
}

export interface GameUI<V extends View = View, Notebook = Record<string, unknown>, Piece = unknown> {
  /** The other seats and the middle; without the middle until `showMiddle`. */
  Table: Component<{ scene: Scene<V>; showMiddle: boolean }>
  /** What belongs to the viewer, beside the question. */
  Own: Component<{ scene: Scene<V> }>
  /** More of the question than a sentence and buttons, such as a payment. */
  QuestionExtra?: Component<{ scene: Scene<V> }>
  /** Where cards are small, on a phone: the card of the selected action, large. */
  CloseUp?: Component<{ action: string }>
  /** The notebook: what the viewer can deduce. */
  Notes: Component<{ notes: Notebook; sentences: Sentences; seat: number | null }>
  /** After the end: what was hidden. It gets the last view with all cards open. */
  EndCards?: Component<{ view: V; sentences: Sentences }>
  /** Draws what `moves` lets travel. */
  MovingPiece?: Component<{ piece: Piece }>
  /** The cards and tokens that an event moves. */
  moves?: (view: V, line: Line, log: readonly Line[]) => CardMove<Piece>[]

  /** The table while an event is told, as far as its sentence says what comes of it, such as the lives that are left. */
  during?: (view: V, line: Line) => V
  /** The table after an event, as far as the event says: the next one that came with the same view is told over it. */
  after?: (view: V, line: Line) => V
  /** Kinds of events that the table itself shows: they are not in the log or the captions, but screen readers read them. */
  quietEvents?: ReadonlySet<string>
  /** The timing of an event, if the default does not fit. */
  timing?: (line: Line) => Timing | null

  /** Verbs that are picked on a card, token or number of the viewer: they get no button below the question. */
  verbsOnOwnThings?: ReadonlySet<string>
  /** Verbs that are picked on the table as well: on a desk, where all of it is in sight, their buttons are left out. */
  verbsOnTable?: ReadonlySet<string>
  /** Those buttons are left out on a phone too. */
  tableFitsPhone?: boolean
  /** More actions to offer as buttons, because of what is selected. */
  extraButtons?: (selection: Selection) => string[]
  /** A selector for what a lesson asks for, where it is not the element with that `data-action`. */
  selectorOf?: (action: string) => string | null

  /** The possible outcome of an action, if the text `explain.<verb>` is not enough. */
  explain?: (action: string, view: V, sentences: Sentences) => string | null
  /** The viewer's side, where sides win differently: `goal.<side>` introduces the game. */
  side?: (view: V) => string | null
  /** The goal in three pictures, of the side if there are sides; the texts `picture.<n>` or `picture.<side>.<n>` stand below. */
  Picture?: Component<{ n: number; side: string | null }>
  /** What the signs on cards and tiles mean, in a labelled picture beside the goal. */
  Signs?: Component<{ view: V }>
  /** The table shows known cards of the notebook, which is requested after every move. */
  usesNotebook?: boolean
  /** What the keys for reading the table say. */
  speech?: Speech<V, Notebook>
  /** After the end: what each seat has, in parts. */
  standings?: (view: V, sentences: Sentences) => Standing[]
  /** After the end, where players win together: what the viewer's team did. */
  summaries?: (view: V, log: readonly Line[]) => Summary[]

  /** The rule behind the question that is asked. */
  promptRule?: (view: V) => string | null
  /** The rule that forbids free chat, where the game does. */
  talkRule?: string
  /** Verb and parameters of an action that the drawing names although it is not legal; the server describes the legal
   *  ones. */
  describeAction?: (action: string) => Description | null
  /** The drawing's own texts; their keys get the game's name in front. */
  texts?: Loaders
}

/** Checks a drawing against its own view type, and gives it the type that the page uses. */
export function defineGameUI<V extends View, Notebook, Piece>(ui: GameUI<V, Notebook, Piece>): GameUI {
  return ui as unknown as GameUI
}
