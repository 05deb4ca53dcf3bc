// Tables in a worker of the page: what a session sees of them, with a worker that the test holds in its hands.
import { cleanup, render, screen } from '@testing-library/svelte'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { ApiError, atTable, request } from '../src/api/http'
import { TableSession } from '../src/api/session.svelte'
import { ownTables } from '../src/api/transport'
import { features, setFeatures, showFeaturesOf } from '../src/features/registry.svelte'
import HotSeat from '../src/features/local_tables/HotSeat.svelte'
import { kept, lookWhetherKept } from '../src/features/local_tables/kept.svelte'
import { bring, saved } from '../src/features/local_tables/carrying'
import { storedSeal, storeSeal } from '../src/lib/fairness'
import { findPack } from '../src/features/local_tables/pack'
import { local } from '../src/features/local_tables/tables'
import { setTexts } from '../src/i18n/language.svelte'
import { whyNotShown } from '../src/lib/problems'
import { allTexts } from './catalogues'

type Message = Record<string, unknown>

class FakeWorker {
  static all: FakeWorker[] = []
  /** What it answers when it is opened. */
  static opening: Message = { type: 'opened' }
  /** The first of them. */
  static openings: Message[] = []
  /** What it answers to a request, and with which status. */
  static answer: (body: string) => object = () => table
  static status: (body: string) => number = () => 200
  onmessage: (event: { data: Message }) => void = () => undefined
  onerror: (event: { preventDefault: () => void }) => void = () => undefined
  heard: Message[] = []
  isTerminated = false
  constructor(readonly address: string) {
    FakeWorker.all.push(this)
  }
  postMessage(message: Message) {
    this.heard.push(message)
    if (message.type === 'open') this.say(FakeWorker.openings.shift() ?? FakeWorker.opening)
    if (message.type === 'request') {
      const body = message.body as string
      const text = JSON.stringify(FakeWorker.answer(body))
      this.say({ type: 'answered', id: message.id, status: FakeWorker.status(body), text })
    }
    if (message.type === 'connect') this.say({ type: 'connected', socket: message.socket })
  }
  say(data: Message) {
    queueMicrotask(() => this.onmessage({ data }))
  }
  terminate() {
    this.isTerminated = true
  }
}

const table = { id: '~T', phase: 'playing', seats: [{ salted: true }], you: { seat: 0 }, fairness: { commitment: 'c' } }
const pack = { version: 'v1', bytes: 6_000_000, games: [] }
const fetched = vi.fn((_path: string) => Promise.resolve(new Response(JSON.stringify(pack))))
const settled = () => new Promise((done) => setTimeout(done))

beforeEach(() => {
  FakeWorker.all = []
  localStorage.clear()
  Object.assign(FakeWorker, { opening: { type: 'opened' }, answer: () => table, status: () => 200 })
  fetched.mockClear()
  vi.stubGlobal('Worker', FakeWorker)
  vi.stubGlobal('fetch', fetched)
  setTexts('en', allTexts('en'))
})
afterEach(() => {
  for (const worker of FakeWorker.all) worker.onerror({ preventDefault: () => undefined })
  vi.unstubAllGlobals()
})

test('what asks for the pack at the same time shares the answer', async () => {
  await Promise.all([findPack(), local.myTables()])
  expect(fetched).toHaveBeenCalledTimes(1)
  await findPack()
  expect(fetched).toHaveBeenCalledTimes(2)
})

test('a session at a local table speaks to the worker alone', async () => {
  const session = new TableSession('~T')
  await session.start()
  await settled()
  const [worker] = FakeWorker.all
  expect(worker!.address).toBe('/offline/v1/worker.mjs')
  expect(fetched.mock.calls.map(([path]) => path)).toEqual(['/api/offline'])
  const { socket } = worker!.heard.find(({ type }) => type === 'connect')!
  expect(worker!.heard.at(-1)).toEqual({ type: 'send', socket, text: '{"type":"hello","lines":0}' })
  worker!.say({ type: 'heard', socket, text: JSON.stringify({ type: 'table', table }) })
  await settled()
  expect(session.connection).toBe('open')
  worker!.say({ type: 'closed', socket })
  await settled()
  expect(session.connection).toBe('lost')
  session.stop()
})

test.each([
  [{ persist: () => Promise.resolve(true), persisted: () => Promise.resolve(true) }, true],
  [{ persist: () => Promise.resolve(false), persisted: () => Promise.resolve(false) }, false],
  [{ persist: () => Promise.reject(new TypeError('no')) }, false],
  [undefined, false],
])('the browser is asked to delete no games, once there is one: %o', async (storage, isLasting) => {
  vi.stubGlobal('navigator', { storage })
  const asks = storage && vi.spyOn(storage, 'persist')
  await request('GET', atTable('~T'))
  if (asks) expect(asks).not.toHaveBeenCalled()
  const session = new TableSession('~T')
  await session.start()
  await settled()
  expect(kept.isLasting).toBe(isLasting)
  if (asks) expect(asks).toHaveBeenCalledTimes(1)
  session.stop()
  await lookWhetherKept()
  expect(kept.isLasting).toBe(isLasting)
})

test('a server without a pack has nothing for one device either', async () => {
  fetched.mockImplementationOnce(() => Promise.resolve(new Response(JSON.stringify({ ...pack, version: null }))))
  render(HotSeat)
  await screen.findByRole('heading', { name: allTexts('en')['offline.problem.no-pack'] })
  expect(screen.queryByTestId('start-hot-seat')).toBeNull()
  cleanup()
})

test('a worker that ends closes its sockets, and the next request starts another', async () => {
  const session = new TableSession('~T')
  await session.start()
  await settled()
  FakeWorker.all[0]!.onerror({ preventDefault: () => undefined })
  expect(session.connection).toBe('lost')
  session.stop()
  expect(await request('GET', atTable('~T'))).toEqual(table)
  expect(FakeWorker.all).toHaveLength(2)
  expect(FakeWorker.all[0]!.isTerminated).toBe(true)
})

test.each([
  [{ type: 'failed', code: 'other-tab', message: '' }, 'offline.problem.other-tab'],
  [{ type: 'failed', code: 'taken-over', message: '' }, 'offline.problem.taken-over'],
  [{ type: 'failed', code: 'no-storage', message: '' }, 'offline.problem.no-storage'],
  [{ type: 'failed', message: 'app.zip: 404' }, 'offline.problem.failed'],
])('the page says why there is no table: %o', async (answer, key) => {
  vi.spyOn(console, 'warn').mockImplementation(() => undefined)
  FakeWorker.opening = answer
  const session = new TableSession('~T')
  await session.start()
  expect(session.connection).toBe('gone')
  expect(whyNotShown(session.refusal, 'table').title).toBe(allTexts('en')[key])
})

test('a tab takes the tables over only when it is asked to', async () => {
  await request('GET', atTable('~T'))
  expect(FakeWorker.all[0]!.heard[0]).toMatchObject({ type: 'open', takeOver: false })
  FakeWorker.all[0]!.say({ type: 'failed', code: 'taken-over', message: '' })
  await settled()
  await local.takeOver()
  expect(FakeWorker.all[1]!.heard[0]).toMatchObject({ type: 'open', takeOver: true })
})

test('a session whose tables another tab has taken over says so', async () => {
  vi.spyOn(console, 'warn').mockImplementation(() => undefined)
  const session = new TableSession('~T')
  await session.start()
  await settled()
  FakeWorker.all[0]!.say({ type: 'failed', code: 'taken-over', message: '' })
  FakeWorker.opening = { type: 'failed', code: 'other-tab', message: '' }
  await settled()
  expect(session.connection).toBe('lost')
  session.reconnect()
  await settled()
  expect(session.connection).toBe('gone')
  expect(whyNotShown(session.refusal, 'table').title).toBe(allTexts('en')['offline.problem.other-tab'])
  session.stop()
})

test('a game that needs the pack it began with goes on with that one', async () => {
  vi.spyOn(console, 'warn').mockImplementation(() => undefined)
  await request('GET', atTable('~T'))
  FakeWorker.all[0]!.onerror({ preventDefault: () => undefined })
  const fetchNewer = () => Promise.resolve(new Response(JSON.stringify({ ...pack, version: 'v2' })))
  fetched.mockImplementationOnce(fetchNewer)
  FakeWorker.openings = [{ type: 'failed', code: 'other-rules', message: '' }]
  await request('GET', atTable('~T'))
  const tried = () => FakeWorker.all.slice(1).map(({ address, heard }) => [address, heard[0]!.isLast])
  expect(tried()).toEqual([
    ['/offline/v2/worker.mjs', false],
    ['/offline/v1/worker.mjs', true],
  ])
  // Once it is over, the newer one is taken, and remembered.
  FakeWorker.all[2]!.onerror({ preventDefault: () => undefined })
  fetched.mockImplementationOnce(fetchNewer)
  await request('GET', atTable('~T'))
  expect(tried().slice(2)).toEqual([['/offline/v2/worker.mjs', false]])
  expect(localStorage.getItem('tavolino.offline-used')).toBe('v2')
})

test('if the pack that a game began with is gone, the others go on', async () => {
  vi.spyOn(console, 'warn').mockImplementation(() => undefined)
  localStorage.setItem('tavolino.offline-used', 'v0')
  const failed = { type: 'failed', message: '404' }
  FakeWorker.openings = [{ ...failed, code: 'other-rules' }, failed]
  await request('GET', atTable('~T'))
  expect(FakeWorker.all.map(({ address, heard }) => [address, heard[0]!.isLast])).toEqual([
    ['/offline/v1/worker.mjs', false],
    ['/offline/v0/worker.mjs', true],
    ['/offline/v1/worker.mjs', true],
  ])
})

test('without a pack nothing is started', async () => {
  fetched.mockImplementationOnce(() => Promise.resolve(new Response(JSON.stringify({ ...pack, version: null }))))
  const problem: unknown = await request('GET', atTable('~T')).catch((reason: unknown) => reason)
  expect((problem as ApiError).problem.key).toBe('offline.problem.no-pack')
  expect(FakeWorker.all).toEqual([])
})

test('if the server does not answer, the pack that it had last is taken', async () => {
  await request('GET', atTable('~T'))
  FakeWorker.all[0]!.onerror({ preventDefault: () => undefined })
  fetched.mockImplementationOnce(() => Promise.reject(new TypeError('no network')))
  expect(await request('GET', atTable('~T'))).toEqual(table)
})

test('a local table has the features that make sense there', () => {
  setFeatures({ features: ['advice', 'chat', 'take_back'], outside_features: [{ name: 'x', module: '/x.js' }] })
  const shown = () => ['advice', 'chat', 'take_back'].filter((name) => features.isOn(name))
  showFeaturesOf('~T')
  expect(shown()).toEqual(['advice', 'take_back'])
  expect(features.outside).toEqual([])
  showFeaturesOf('T')
  expect(shown()).toEqual(['advice', 'chat', 'take_back'])
  showFeaturesOf(undefined)
  expect(features.outside).toHaveLength(1)
  expect(ownTables('T')).toBeNull()
})

const textOf = (blob: Blob) =>
  new Promise<string>((done) => {
    const reader = new FileReader()
    reader.onload = () => done(String(reader.result))
    reader.readAsText(blob)
  })

/** jsdom's have no text. */
const file = (text: string): Blob =>
  Object.assign(new Blob([text]), {
    text: () => Promise.resolve(text),
    slice: (from: number, to: number) => file(text.slice(from, to)),
  })

test('a file of games is read line by line, and what is refused is named', async () => {
  const results: Record<string, string> = { head: 'header', '{}': 'brought', b: 'there', c: 'damaged' }
  FakeWorker.answer = (body) => ({ result: results[body] ?? 'not-a-game' })
  expect(await bring(file('head\n{}\n\nb\nc\nd\n'))).toEqual({
    brought: 1,
    there: 1,
    refused: [
      { line: 5, why: allTexts('en')['offline.bring.damaged'] },
      { line: 6, why: allTexts('en')['offline.bring.not-a-game'] },
    ],
    problem: '',
  })
  expect(await bring(file('a\nb'))).toMatchObject({ brought: 0, problem: allTexts('en')['offline.bring.no-file'] })
})

test('the seal goes with its game, and is known to be from a file', async () => {
  const seal = { commitment: 'a'.repeat(64), salt: 'b'.repeat(64), seat: 0 }
  FakeWorker.answer = (body) => ({ result: body === 'head' ? 'header' : 'brought' })
  const lines = [
    { table: '~one', seal },
    { table: '~two', seal: { ...seal, salt: '<b>' } },
    { table: '~three', seal: { ...seal, commitment: 5 } },
    { table: '~four', seal: null },
    { table: '~five' },
  ]
  storeSeal('~six', 'kept', 0)
  lines.push({ table: '~six', seal })
  const text = ['head', ...lines.map((line) => JSON.stringify(line))].join('\n')
  expect(await bring(file(text))).toMatchObject({ brought: 6, problem: '' })
  expect(storedSeal('~one')).toEqual({ ...seal, isFromFile: true })
  for (const { table } of lines.slice(1, 5)) expect(storedSeal(table)).toBeNull()
  expect(storedSeal('~six')?.commitment).toBe('kept')

  FakeWorker.answer = () => ({ table: '~six', entries: [] })
  const [, line] = (await textOf(await saved(['~six'], 'games'))).split('\n')
  expect(JSON.parse(line!)).toEqual({ table: '~six', entries: [], seal: storedSeal('~six') })
})

test('a full device stops the reading, and says so', async () => {
  const full = { code: 'storage-full', key: 'server.refused.storage-full', params: {} }
  FakeWorker.answer = (body) => (body === 'head' ? { result: 'header' } : full)
  FakeWorker.status = (body) => (body === 'head' ? 200 : 507)
  const found = await bring(file('head\na'))
  expect(found.problem).toBe(allTexts('en')['server.refused.storage-full'])
  expect(found.brought).toBe(0)
})
