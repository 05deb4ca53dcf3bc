// The way back after a cut connection, with a socket that the test holds in its hands.
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { TableSession } from '../src/api/session.svelte'
import Chat from '../src/features/chat/session.svelte'
import { setTexts } from '../src/i18n/language.svelte'
import { whyNotShown } from '../src/lib/problems'
import { allTexts } from './catalogues'

class Socket {
  static all: Socket[] = []
  static OPEN = 1
  readyState = 1
  sent: Record<string, unknown>[] = []
  onopen: () => void = () => undefined
  onmessage: (event: { data: string }) => void = () => undefined
  onclose: () => void = () => undefined
  constructor() {
    Socket.all.push(this)
  }
  send(text: string) {
    this.sent.push(JSON.parse(text) as Record<string, unknown>)
  }
  close() {
    this.readyState = 3
    this.onclose()
  }
  hear(news: object) {
    this.onmessage({ data: JSON.stringify(news) })
  }
}

const table = { id: 'T', phase: 'playing', seats: [{ salted: true }], you: { seat: 0 }, fairness: { commitment: 'c' } }
const play = (turn: number, from_line: number, lines: object[]) => ({
  type: 'play',
  turn,
  view: { legal: [] },
  from_line,
  lines,
  clock: null,
  remarks: [],
})

beforeEach(() => {
  vi.useFakeTimers()
  Socket.all = []
  vi.stubGlobal('WebSocket', Socket)
  vi.stubGlobal(
    'fetch',
    vi.fn(() => Promise.resolve(new Response(JSON.stringify(table)))),
  )
})
afterEach(() => vi.useRealTimers())

async function open() {
  const session = new TableSession('T')
  await session.start()
  const socket = Socket.all.at(-1)!
  socket.onopen()
  socket.hear({ type: 'table', table })
  return { session, socket }
}

test('after a cut it says hello with the number of lines it has, and misses nothing', async () => {
  const { session, socket } = await open()
  expect(socket.sent[0]).toEqual({ type: 'hello', lines: 0 })
  socket.hear(play(1, 0, [{ kind: 'a' }, { kind: 'b' }]))
  socket.close()
  expect(session.connection).toBe('lost')
  await vi.advanceTimersByTimeAsync(600)
  const again = Socket.all.at(-1)!
  expect(again).not.toBe(socket)
  again.onopen()
  expect(again.sent[0]).toEqual({ type: 'hello', lines: 2 })
  again.hear({ type: 'table', table })
  again.hear(play(2, 2, [{ kind: 'c' }]))
  expect(session.connection).toBe('open')
  expect(session.log.map((line) => line.kind)).toEqual(['a', 'b', 'c'])
  session.stop()
})

test('what was said is not said twice after a cut', async () => {
  const { session, socket } = await open()
  const said = { seat: 0, name: 'Ann', text: 'hi', reaction: null, remark: null, level: null }
  socket.hear({ type: 'talk', said: [said] })
  socket.hear({ type: 'talk', said: [said] })
  expect(session.part(Chat).talk).toHaveLength(2)
  socket.close()
  await vi.advanceTimersByTimeAsync(600)
  Socket.all.at(-1)!.onopen()
  Socket.all.at(-1)!.hear({ type: 'talk', said: [said, said] })
  expect(session.part(Chat).talk).toHaveLength(2)
  session.stop()
})

test('a refusal reaches the one who asked, and a cut fails what was under way', async () => {
  const { session, socket } = await open()
  const problem = { code: 'stale-move', key: 'server.refused.stale-move', params: {}, rule: null }
  const refused = session.send({ type: 'move', turn: 1, action: 'score' })
  socket.hear({ type: 'refused', ref: socket.sent.at(-1)!.ref, problem })
  await expect(refused).rejects.toEqual(problem)
  const cut = session.send({ type: 'move', turn: 1, action: 'score' })
  socket.close()
  await expect(cut).rejects.toMatchObject({ code: 'no-answer' })
  session.stop()
})

test('before the deal the commitment is kept first, then the salt is sent', async () => {
  const { session, socket } = await open()
  socket.hear({
    type: 'table',
    table: { ...table, phase: 'waiting', seats: [{ salted: false }], fairness: { commitment: 'sealed' } },
  })
  const kept = JSON.parse(localStorage.getItem('tavolino.seal.T')!) as { commitment: string; salt: string }
  expect(kept.commitment).toBe('sealed')
  expect(socket.sent.at(-1)).toMatchObject({ type: 'salt', salt: kept.salt })
  expect(kept.salt).toMatch(/^[0-9a-f]{64}$/)
  session.stop()
})

test('a table that does not exist is said to be gone, and not asked for again', async () => {
  vi.stubGlobal(
    'fetch',
    vi.fn(() =>
      Promise.resolve(
        new Response(JSON.stringify({ code: 'no-such-table', key: 'x', params: {}, rule: null }), { status: 404 }),
      ),
    ),
  )
  const session = new TableSession('nowhere')
  await session.start()
  await vi.advanceTimersByTimeAsync(20_000)
  expect(session.connection).toBe('gone')
  expect(Socket.all).toHaveLength(0)
})

test('a table whose deal others may still play says so, and is not asked for again', async () => {
  const problem = { code: 'still-secret', key: 'server.refused.still-secret', params: {}, rule: null }
  vi.stubGlobal(
    'fetch',
    vi.fn(() => Promise.resolve(new Response(JSON.stringify(problem), { status: 403 }))),
  )
  const session = new TableSession('T')
  await session.start()
  await vi.advanceTimersByTimeAsync(20_000)
  expect(session.connection).toBe('gone')
  expect(session.refusal).toEqual(problem)
  expect(fetch).toHaveBeenCalledTimes(1)
  setTexts('it', allTexts('it'))
  expect(whyNotShown(session.refusal, 'table')).toEqual({
    title: expect.stringContaining('Altri possono'),
    text: '',
  })
  expect(whyNotShown(null, 'table').title).toBe('Tavolo non trovato')
  const over = { ...problem, code: 'still-playing' }
  expect(whyNotShown(over, 'replay').text).not.toBe('')
})

test('when the network is back a new socket takes the place of one that may be dead', async () => {
  const { session, socket } = await open()
  session.markLost()
  expect(session.connection).toBe('lost')
  session.reconnect()
  await vi.advanceTimersByTimeAsync(0)
  const next = Socket.all.at(-1)!
  expect(next).not.toBe(socket)
  expect(socket.readyState).toBe(3)
  next.hear({ type: 'table', table })
  expect(session.connection).toBe('open')
  session.stop()
})

test('a question that stays without an answer opens the socket anew', async () => {
  const { session, socket } = await open()
  const refused = session.send({ type: 'hint' }).catch((problem: { code: string }) => problem.code)
  await vi.advanceTimersByTimeAsync(20_000)
  expect(await refused).toBe('no-answer')
  expect(Socket.all.at(-1)).not.toBe(socket)
  session.stop()
})

test('what was said before, and what we say ourselves, is not unheard', async () => {
  const { session, socket } = await open()
  socket.hear({ type: 'talk', said: [{ seat: 1 }, { seat: 0 }] })
  expect(session.part(Chat).unread).toBe(0)
  socket.hear({ type: 'talk', said: [{ seat: 0 }] })
  expect(session.part(Chat).unread).toBe(0)
  socket.hear({ type: 'talk', said: [{ seat: 1 }] })
  expect(session.part(Chat).unread).toBe(1)
  session.stop()
})
