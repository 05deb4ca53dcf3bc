import type { Description } from '../../api/protocol'
import type { Selection } from '../../state/selection.svelte'
import { defineGameUI } from '../../table/GameUI'
import CloseUp from './CloseUp.svelte'
import { moves } from './moves'
import MovingPiece from './MovingPiece.svelte'
import Notes from './Notes.svelte'
import Own from './Own.svelte'
import Picture from './Picture.svelte'
import Payment from './Payment.svelte'
import Signs from './Signs.svelte'
import { speech } from './speech'
import { standings } from './standings'
import Table from './Table.svelte'
import { timing } from './timing'
import { explain } from './tooltips'
import type { View } from './view'

/** The rule behind each question. */
const promptRules: Record<string, string> = { turn: 'SM-10', pay: 'SM-17', visit: 'SM-22', return: 'SM-23' }

/** A card on the table can be recruited or reserved: once it is selected, both are offered by name. */
function extraButtons(selection: Selection): string[] {
  const [verb, card = ''] = selection.selected?.split(' ') ?? []
  if ((verb !== 'recruit' && verb !== 'reserve') || card.startsWith('level-')) return []
  const both = [`recruit ${card}`, `reserve ${card}`]
  const isOffered =
    both.some((action) => selection.canExplain(action)) || both.every((action) => selection.isLegal(action))
  return isOffered ? both : []
}

/** Of the two buttons for a card one may be an action that is not legal. */
function describeAction(action: string): Description | null {
  const [verb = '', card] = action.split(' ')
  return verb === 'recruit' || verb === 'reserve' ? { verb, params: { card } } : null
}

export default defineGameUI({
  Table,
  Own,
  QuestionExtra: Payment,
  CloseUp,
  Notes,
  Picture,
  Signs,
  MovingPiece,
  moves: (_, line, log) => moves(line, log),
  timing,
  quietEvents: new Set(['refilled', 'row', 'locations']),
  verbsOnOwnThings: new Set(['take', 'reserve', 'recruit', 'return', 'grey', 'pay']),
  verbsOnTable: new Set(['visit']),
  extraButtons,
  explain,
  speech,
  standings: (view: View) => standings(view),
  selectorOf: (action) => (action.startsWith('take ') ? `[data-place="bank-${action.split(' ')[1]}"] button` : null),
  promptRule: (view: View) => promptRules[view.prompt?.key ?? ''] ?? null,
  describeAction,
  texts: {
    en: () => import('./texts/en.json').then((file) => file.default),
    it: () => import('./texts/it.json').then((file) => file.default),
    pl: () => import('./texts/pl.json').then((file) => file.default),
  },
})
