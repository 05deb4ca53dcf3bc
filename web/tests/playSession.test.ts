// A game in play without its component: what is shown when, whose turn it is, and what is sent.
import { flushSync } from 'svelte'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { News, Table, View } from '../src/api/protocol'
import { TableSession } from '../src/api/session.svelte'
import AdviceMessages from '../src/features/advice/session.svelte'
import Chat from '../src/features/chat/session.svelte'
import { setFeatures } from '../src/features/registry.svelte'
import { setTexts } from '../src/i18n/language.svelte'
import { PlaySession } from '../src/room/playSession.svelte'
import { change } from '../src/state/settings.svelte'
import { loadGameUI } from '../src/table/drawings'
import { allTexts } from './catalogues'
import { withEffects } from './effects.svelte'
import { recorded } from './recorded'

const ui = await loadGameUI('mantis')
const view = recorded('mantis').find(({ seat }) => seat.to_act === seat.seat)!.seat
const seats = Array.from({ length: view.players }, (_, seat) => ({
  seat,
  kind: seat === view.seat ? 'person' : 'bot',
  name: seat === view.seat ? 'Ada' : null,
  level: seat === view.seat ? null : 'easy',
  bot: seat,
  avatar: null,
  online: true,
  away: false,
  stand_in: false,
  resigned: false,
  wants_end: false,
  votes_stand_in: [],
  vacation: null,
})) as unknown as Table['seats']
const table = {
  id: 'T',
  game: 'mantis',
  phase: 'playing',
  seats,
  hints: true,
  readiness: { hints: true },
  ending: null,
  you: { seat: view.seat, muted: [], plan: null },
} as unknown as Table

let stop: (() => void) | null = null

/** A game as the server has sent it, at the speed without animations. */
function start(changes: { table?: Partial<Table>; view?: Partial<View> } = {}) {
  const session = new TableSession('T')
  session.table = { ...table, ...changes.table }
  session.view = { ...view, ...changes.view }
  session.turn = 3
  session.connection = 'open'
  const sent: { type: string }[] = []
  session.send = (command) => {
    sent.push(command)
    return Promise.resolve({ type: 'accepted' } as News)
  }
  let play!: PlaySession
  stop = withEffects(() => {
    play = new PlaySession(session, ui)
    play.start()
  })
  return { session, play, sent }
}

beforeEach(() => {
  setTexts('en', allTexts('en'))
  setFeatures(null)
  change('introduced', ['mantis'])
  change('speed', 'instant')
  change('notebook', false)
})
afterEach(() => {
  stop?.()
  stop = null
  vi.restoreAllMocks()
})

test('whose turn it is can choose, and what is chosen is sent with the number of the turn', async () => {
  const { play, sent } = start()
  expect([play.yours, play.due]).toEqual([true, true])
  expect(play.selection.legal).toEqual(view.legal)
  play.selection.select(view.legal[0]!)
  play.selection.confirm()
  await vi.waitFor(() => expect(sent.at(-1)).toEqual({ type: 'move', turn: 3, action: view.legal[0] }))
})

test.each([
  ['without a connection', { connection: 'lost' }, {}],
  ['when a bot stands in', {}, { stand_in: true }],
  ['after resigning', {}, { resigned: true }],
])('nothing can be chosen %s', (_, connection, mine) => {
  const { play, session } = start({
    table: { seats: seats.map((seat) => (seat.seat === view.seat ? { ...seat, ...mine } : seat)) },
  })
  Object.assign(session, connection)
  flushSync()
  expect(play.selection.legal).toEqual([])
})

test('a refusal is explained until the next move', async () => {
  const { play, session } = start()
  const problem = { code: 'not-your-turn', key: 'server.refused.not-your-turn', params: {}, rule: null }
  session.send = () => Promise.reject(problem as never)
  await play.ask({ type: 'resign' })
  expect(play.notice!.text).toBe(allTexts('en')['server.refused.not-your-turn'])
  session.turn = 4
  flushSync()
  expect(play.notice).toBeNull()
})

test('the first game of a title waits behind its introduction, the next one does not', () => {
  change('introduced', [])
  const { play } = start()
  expect(play.help).toBe('first')
  play.help = null
  flushSync()
  stop!()
  expect(start().play.help).toBeNull()
})

test('a hint selects its action and stands in words; after the move it is gone', () => {
  const { play, session } = start()
  const action = view.legal[1] ?? view.legal[0]!
  session.part(AdviceMessages).receive({ type: 'hint', ref: null, action, chance: 0.5, reasons: [] } as unknown as News)
  flushSync()
  expect(play.selection.selected).toBe(action)
  expect(play.suggestion).toMatchObject({ action, text: expect.stringContaining('50%') as string })
  session.part(AdviceMessages).receive({ type: 'play' } as unknown as News)
  expect(play.suggestion).toBeNull()
})

test('what is said stands at the seat for a moment', () => {
  const { play, session } = start()
  const chat = session.part(Chat)
  const said = { seat: 1, name: 'Bo', text: 'hello', reaction: null, remark: null, level: null }
  chat.receive({ type: 'talk', said: [] } as unknown as News)
  chat.receive({ type: 'talk', said: [said] } as unknown as News)
  expect(play.scene.seats[1]!.bubble).toBe('hello')
})

test('what the server has switched off has no part: nothing is asked for, and no panel is there', () => {
  change('notebook', true)
  const names = (play: PlaySession) => play.panels.map(({ feature }) => feature)
  const all = start()
  expect(names(all.play)).toEqual(['advice', 'chat'])
  expect(all.sent).toEqual([{ type: 'notebook' }])
  stop!()
  setFeatures({ features: ['votes'], outside_features: [] })
  const few = start()
  expect(names(few.play)).toEqual([])
  expect(few.sent).toEqual([])
  expect(few.play.facts).toBeNull()
})

test('a spectator has the panels that are not for players alone', () => {
  const { play } = start({ table: { you: { ...table.you, seat: null } }, view: { seat: null, legal: [] } })
  expect(play.panels.map(({ feature }) => feature)).toEqual(['chat'])
  expect(play.help).toBeNull()
})

test('a game that was resigned is over for the table, although its last view is not', () => {
  const { play, session } = start()
  expect(play.shownView.over).toBe(false)
  session.table = { ...session.table!, phase: 'ended', ending: { how: 'resigned', winners: [1], reason: null } }
  flushSync()
  expect(play.ended).toBe(true)
  expect(play.shownView).toMatchObject({ over: true, legal: [], to_act: null })
})

test('another table message leaves the seats as they were', () => {
  const { play, session } = start()
  const before = play.scene.seats
  session.table = { ...session.table!, watching: ['Cy'] }
  flushSync()
  expect(play.scene.seats).toBe(before)
})
