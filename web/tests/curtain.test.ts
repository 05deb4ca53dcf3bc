// The curtain between people who pass one device around: what the page asks the worker for, and what is left in the page.
import { flushSync, mount, unmount } from 'svelte'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import Curtain from '../src/features/local_tables/Curtain.svelte'
import { setTexts } from '../src/i18n/language.svelte'
import { allTexts } from './catalogues'

vi.mock('../src/room/AtTable.svelte', async () => ({ default: (await import('./TestCards.svelte')).default }))

type Message = Record<string, unknown> & { type: string }
const seat = (number: number, name: string | null) => ({
  seat: number,
  kind: name ? 'person' : 'bot',
  name,
  resigned: false,
})
const table = {
  id: '~~T',
  game: 'one',
  phase: 'playing',
  seats: [seat(0, 'Ada'), seat(1, 'Bea'), seat(2, null)],
  you: { seat: null },
  take_back: null as { seat: number; agreed: number[] } | null,
}
/** What the worker was asked for, in order: the seat of a curtain, or that a socket was opened or closed. */
let asked: unknown[] = []
let toAct = 1

class Tables {
  static last: Tables
  onmessage: (event: { data: Message }) => void = () => undefined
  onerror: (event: { preventDefault: () => void }) => void = () => undefined
  constructor() {
    Tables.last = this
  }
  postMessage(message: Message) {
    if (message.type === 'open') this.say({ type: 'opened' })
    if (message.type === 'connect') {
      asked.push('connect')
      this.say({ type: 'connected', socket: message.socket })
    }
    if (message.type === 'close') asked.push('close')
    if (message.type === 'send') {
      this.hear(message.socket, { type: 'table', table })
      this.hear(message.socket, {
        type: 'play',
        view: { to_act: toAct, seat: null },
        lines: [],
        from_line: 0,
        turn: 1,
        since: 0,
        clock: null,
      })
    }
    if (message.type !== 'request') return
    const wanted = message.body ? (JSON.parse(message.body as string) as { seat: number | null }) : null
    if (wanted) asked.push(wanted.seat)
    this.say({ type: 'answered', id: message.id, status: 200, text: JSON.stringify(wanted ?? table) })
  }
  say(data: Message) {
    queueMicrotask(() => this.onmessage({ data }))
  }
  hear(socket: unknown, news: Message) {
    this.say({ type: 'heard', socket, text: JSON.stringify(news) })
  }
  terminate() {}
}

let drawn: object | null = null
const until = (check: () => void) =>
  vi.waitFor(
    () => {
      flushSync()
      check()
    },
    { timeout: 10_000 },
  )
const found = (name: string) => document.querySelector<HTMLElement>(`[data-testid=${name}]`)
/** Opens the curtain for whoever is next. */
async function show() {
  found('show')!.click()
  await until(() => expect(found('cards')).not.toBeNull())
}

beforeEach(() => {
  asked = []
  toAct = 1
  table.phase = 'playing'
  table.take_back = null
  vi.stubGlobal('Worker', Tables)
  vi.stubGlobal('fetch', () => Promise.resolve(new Response(JSON.stringify({ version: 'v1', bytes: 1, games: [] }))))
  vi.stubGlobal('scrollTo', () => undefined)
  setTexts('en', allTexts('en'))
})
afterEach(async () => {
  if (drawn) await unmount(drawn)
  drawn = null
  await until(() => expect(asked.at(-1)).toBeNull())
  Tables.last.onerror({ preventDefault: () => undefined })
  vi.unstubAllGlobals()
})

async function draw() {
  drawn = mount(Curtain, { target: document.body, props: { table: '~~T' } })
  await until(() => expect(found('curtain')?.querySelector('[aria-busy]')).toBe(null))
}

test('the curtain is drawn before anything is heard, and says who is next', async () => {
  await draw()
  expect(asked).toEqual([null, 'connect'])
  expect(found('curtain')!.textContent).toContain('Bea is next')
  expect(found('cards')).toBeNull()
  await show()
  expect(asked).toEqual([null, 'connect', 'close', 1])
  expect(found('cards')).not.toBeNull()
})

test('bots play behind the curtain', async () => {
  toAct = 2
  await draw()
  expect(found('curtain')!.textContent).toContain('The bots are playing')
  expect(found('show')).toBeNull()
})

test('whoever is asked about a take-back is next', async () => {
  table.take_back = { seat: 1, agreed: [] }
  await draw()
  expect(found('curtain')!.textContent).toContain('Ada is next')
})

test.each([
  ['hidden', () => document.dispatchEvent(new Event('visibilitychange'))],
  ['left', () => window.dispatchEvent(new Event('pagehide'))],
])('a page that is %s has no cards, at once', async (how, happen) => {
  await draw()
  await show()
  const hidden = vi.spyOn(document, 'hidden', 'get').mockReturnValue(how === 'hidden')
  happen()
  expect(found('cards')).toBeNull()
  hidden.mockRestore()
  await until(() => expect(asked.slice(4)).toEqual([null, 'connect']))
  await until(() => expect(found('show')).not.toBeNull())
  expect(found('curtain')!.textContent).toContain('Bea is next')
})

test('a window behind another one is blank', async () => {
  await draw()
  await show()
  window.dispatchEvent(new Event('blur'))
  flushSync()
  expect(found('blank')).not.toBeNull()
  window.dispatchEvent(new Event('focus'))
  flushSync()
  expect(found('blank')).toBeNull()
})

test('whoever leaves the page closes the curtain', async () => {
  await draw()
  await show()
  await unmount(drawn!)
  drawn = null
  await until(() => expect(asked.slice(4)).toEqual([null]))
})

test('a game that is over has no curtain', async () => {
  table.phase = 'ended'
  drawn = mount(Curtain, { target: document.body, props: { table: '~~T' } })
  await until(() => expect(found('cards')).not.toBeNull())
  expect(found('bar')).toBeNull()
})
