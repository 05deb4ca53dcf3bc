import { defineGameUI } from '../../table/GameUI'
import { after } from './follow'
import { moves } from './moves'
import { timing } from './timing'
import MovingPiece from './MovingPiece.svelte'
import Notes from './Notes.svelte'
import Own from './Own.svelte'
import Picture from './Picture.svelte'
import { speech } from './speech'
import { standings } from './standings'
import Table from './Table.svelte'
import type { View } from './view'

/** The rule behind each question. */
const promptRules: Record<string, string> = { turn: 'MA-10', take: 'MA-23', 'extra-turn': 'MA-41' }

export default defineGameUI({
  Table,
  Own,
  Notes,
  Picture,
  MovingPiece,
  moves: (_, line) => moves(line),
  after,
  verbsOnTable: new Set(['score', 'steal', 'take']),
  tableFitsPhone: true,
  quietEvents: new Set(['back']),
  timing,
  usesNotebook: true,
  speech,
  standings: (view: View) => standings(view),
  promptRule: (view: View) => promptRules[view.prompt?.key ?? ''] ?? null,
  texts: {
    en: () => import('./texts/en.json').then((file) => file.default),
    it: () => import('./texts/it.json').then((file) => file.default),
    pl: () => import('./texts/pl.json').then((file) => file.default),
  },
})
