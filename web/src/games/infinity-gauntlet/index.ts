import { defineGameUI } from '../../table/GameUI'
import EndCards from './EndCards.svelte'
import { after, during } from './follow'
import { moves } from './moves'
import MovingPiece from './MovingPiece.svelte'
import Notes from './Notes.svelte'
import Own from './Own.svelte'
import Picture from './Picture.svelte'
import { promptRule, TALK_RULE } from './rules'
import { speech } from './speech'
import { standings } from './standings'
import { summaries } from './summary'
import Table from './Table.svelte'
import { timing } from './timing'
import { explain } from './tooltips'
import type { View } from './view'

export default defineGameUI({
  Table,
  Own,
  Notes,
  Picture,
  EndCards,
  MovingPiece,
  moves,
  during,
  after,
  timing,
  speech,
  standings: (view: View) => standings(view),
  summaries,
  explain,
  side: (view: View) => view.seats[view.seat ?? -1]?.role ?? null,
  usesNotebook: true,
  verbsOnOwnThings: new Set(['play', 'fight-with', 'give-up', 'bottom', 'guess', 'order', 'snap']),
  verbsOnTable: new Set(['choose', 'copy']),
  promptRule,
  talkRule: TALK_RULE,
  texts: {
    en: () => import('./texts/en.json').then((file) => file.default),
    it: () => import('./texts/it.json').then((file) => file.default),
    pl: () => import('./texts/pl.json').then((file) => file.default),
  },
})
