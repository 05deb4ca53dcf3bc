// What single keys read aloud, for people who do not see the table, in the words of the log, the question and the labels.

import { t } from '../i18n/language.svelte'
import type { Sentences } from '../i18n/sentences'
import type { View } from '../api/protocol'
import type { GameUI } from './GameUI'
import { lastLines, type Scene } from './scene'

/** What a drawing says about its table. Each text is a sentence or a few words. */
export interface Speech<V extends View = View, Notebook = Record<string, unknown>> {
  /** What lies in the middle. */
  table: (scene: Scene<V>) => string[]
  /** What lies before a seat, with its name. */
  seat: (scene: Scene<V>, seat: number) => string[]
  /** The viewer's own cards. */
  own: (scene: Scene<V>) => string[]
  /** What the viewer knows for sure of what is hidden. */
  known: (notes: Notebook, sentences: Sentences, seat: number | null) => string[]
}

/** Keys and what they say; the digits name seats. */
export const KEYS = {
  turn: 't',
  own: 'c',
  table: 's',
  events: 'l',
  notebook: 'n',
  repeat: 'r',
  command: '/',
  help: '?',
} as const
export type KeyName = keyof typeof KEYS

const LAST_EVENTS = 5

export function lastEvents(ui: GameUI, scene: Scene): string[] {
  const lines = lastLines(scene.log, LAST_EVENTS, (line) => !ui.quietEvents?.has(line.kind))
  const texts = lines.map((line) => scene.sentences.event(line)).filter(Boolean)
  return texts.length ? texts : [t('log.empty')]
}

export function wholeTable(ui: GameUI, scene: Scene): string[] {
  if (!ui.speech) return drawnText('.board')
  const seats = Array.from({ length: scene.view.players }, (_, seat) => oneSeat(ui, scene, seat))
  return [...ui.speech.table(scene), ...seats.flat()]
}

export function oneSeat(ui: GameUI, scene: Scene, seat: number): string[] {
  if (seat >= scene.view.players) return []
  return ui.speech?.seat(scene, seat) ?? drawnText('.board')
}

export function ownCards(ui: GameUI, scene: Scene): string[] {
  const texts = ui.speech ? ui.speech.own(scene) : drawnText('.own')
  return texts.length ? texts : [t('table.generic.none')]
}

/** A drawing that says nothing of its own: what it shows, line by line. */
function drawnText(selector: string): string[] {
  const text = document.querySelector<HTMLElement>(selector)?.innerText ?? ''
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean)
}
