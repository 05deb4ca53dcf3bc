// The tables of this device: a worker runs them (src/tavolino/offline/worker.mjs), and is started when one is wanted.

import { ApiError, atTable, read } from '../../api/http'
import type { MyTables, PlayNow, Table } from '../../api/protocol'
import type { Answer, Socket, Transport } from '../../api/transport'
import { t } from '../../i18n/language.svelte'
import { file } from '../../lib/site'
import { me } from '../../state/identity.svelte'
import { settings, type Level } from '../../state/settings.svelte'
import { keepGames, keepHere } from './kept.svelte'
import { findPack, rememberVersion, usedVersion } from './pack'

/** A game that is not over needs an older pack: never shown. */
const OTHER_RULES = 'other-rules'
/** Why there are no tables here. */
type Reason = 'no-pack' | 'unsupported' | 'no-storage' | 'other-tab' | 'taken-over' | 'other-rules' | 'failed'
const REASONS: readonly string[] = ['no-storage', 'other-tab', 'taken-over', OTHER_RULES] satisfies Reason[]

type FromWorker =
  | { type: 'opened' }
  | { type: 'answered'; id: number; status: number; text: string }
  | { type: 'connected' | 'closed'; socket: number }
  | { type: 'heard'; socket: number; text: string }
  | { type: 'failed'; id?: number; socket?: number; code?: string; message: string }

const unavailable = (reason: Reason) =>
  new ApiError(404, { code: `offline-${reason}`, key: `offline.problem.${reason}`, params: {}, rule: null })

class LocalSocket implements Socket {
  readyState: number = WebSocket.CONNECTING
  onopen: (() => void) | null = null
  onmessage: ((message: { data: unknown }) => void) | null = null
  onclose: (() => void) | null = null

  constructor(
    readonly number: number,
    private readonly running: Running,
  ) {}

  opened(): void {
    if (this.readyState !== WebSocket.CONNECTING) return
    this.readyState = WebSocket.OPEN
    this.onopen?.()
  }

  send(text: string): void {
    this.running.post({ type: 'send', socket: this.number, text })
  }

  /** The page closes it. */
  close(): void {
    if (this.readyState === WebSocket.CLOSED) return
    this.running.post({ type: 'close', socket: this.number })
    this.closed()
  }

  closed(): void {
    if (this.readyState === WebSocket.CLOSED) return
    this.readyState = WebSocket.CLOSED
    this.running.sockets.delete(this.number)
    this.onclose?.()
  }
}

interface Opening {
  name: string
  isInstant: boolean
  takeOver: boolean
  /** Without another pack to try, games whose rules this one does not know are left alone. */
  isLast: boolean
}

/** A worker, and what waits for it. */
class Running {
  readonly sockets = new Map<number, LocalSocket>()
  private readonly waiting = new Map<number, { done: (answer: Answer) => void; failed: (problem: Error) => void }>()
  private last = 0

  private constructor(private readonly worker: Worker) {}

  /** `ended` is called if the worker ends after it was opened. */
  static open(version: string, opening: Opening, ended: () => void): Promise<Running> {
    return new Promise((done, failed) => {
      const running = new Running(new Worker(file(`/offline/${version}/worker.mjs`), { type: 'module' }))
      const { worker } = running
      const stop = (problem: Error) => {
        worker.terminate()
        failed(problem)
        ended()
        running.end(problem)
      }
      worker.onerror = (event) => {
        event.preventDefault()
        stop(unavailable('failed'))
      }
      worker.onmessage = ({ data }: MessageEvent<FromWorker>) => {
        if (data.type === 'opened') done(running)
        else if (data.type === 'failed' && data.id === undefined && data.socket === undefined) {
          console.warn(data.message)
          stop(unavailable(REASONS.includes(data.code ?? '') ? (data.code as Reason) : 'failed'))
        } else running.hear(data)
      }
      running.post({ type: 'open', ...opening })
    })
  }

  post(message: object): void {
    this.worker.postMessage(message)
  }

  request(method: string, path: string, body: string | null): Promise<Answer> {
    const id = (this.last += 1)
    return new Promise((done, failed) => {
      this.waiting.set(id, { done, failed })
      this.post({ type: 'request', id, method, path, body })
    })
  }

  openSocket(table: string): LocalSocket {
    const socket = new LocalSocket((this.last += 1), this)
    this.sockets.set(socket.number, socket)
    this.post({ type: 'connect', socket: socket.number, table })
    return socket
  }

  private hear(data: Exclude<FromWorker, { type: 'opened' }>): void {
    if (data.type === 'answered') this.settle(data.id)?.done(data)
    else if (data.type === 'failed' && data.id !== undefined) this.settle(data.id)?.failed(new Error(data.message))
    else {
      const socket = this.sockets.get(data.socket!)
      if (data.type === 'connected') socket?.opened()
      else if (data.type === 'heard') socket?.onmessage?.({ data: data.text })
      else socket?.closed()
    }
  }

  private settle(id: number) {
    const found = this.waiting.get(id)
    this.waiting.delete(id)
    return found
  }

  private end(problem: Error): void {
    for (const id of [...this.waiting.keys()]) this.settle(id)?.failed(problem)
    for (const socket of [...this.sockets.values()]) socket.closed()
  }
}

let running: Running | null = null
let opening: Promise<Running> | null = null

/** Starts the worker, once. After a failure the next call tries again. */
function open(takeOver = false): Promise<Running> {
  opening ??= start(takeOver).then(
    (started) => {
      void keepHere()
      return (running = started)
    },
    (problem: unknown) => {
      opening = null
      throw problem
    },
  )
  return opening
}

async function start(takeOver: boolean): Promise<Running> {
  if (typeof Worker === 'undefined' || typeof WebAssembly === 'undefined') throw unavailable('unsupported')
  const { version } = await findPack()
  if (version === null) throw unavailable('no-pack')
  // Nobody else waits for the bots here: who wants to see results at once gets them at once.
  const isInstant = settings.speed === 'instant'
  const name = me.name ?? t('you.guest', { n: 10 + (crypto.getRandomValues(new Uint8Array(1))[0]! % 90) })
  const run = async (pack: string, isLast: boolean) => {
    const started = await Running.open(pack, { name, isInstant, takeOver, isLast }, () => {
      if (running) running = opening = null
    })
    rememberVersion(pack)
    return started
  }
  const used = usedVersion()
  if (used === null || used === version) return run(version, true)
  try {
    return await run(version, false)
  } catch (problem) {
    if (!(problem instanceof ApiError) || problem.problem.code !== `offline-${OTHER_RULES}`) throw problem
    return run(used, true).catch(() => run(version, true))
  }
}

const LOCK = 'tavolino.tables' // src/tavolino/offline/worker.mjs

/** Calls back when the tab that has the tables is closed, or its worker has ended. The signal stops the waiting. */
export function whenFree(signal: AbortSignal, free: () => void): void {
  void navigator.locks?.request(LOCK, { signal }, () => undefined).then(free, () => undefined)
}

/** Whether the worker is there. */
export const isRunning = () => running !== null

export const tables: Transport = {
  request: async (method, path, body) => (await open()).request(method, path, body),
  openSocket(table) {
    void keepGames()
    return running!.openSocket(table)
  },
}

const ask = async <Content>(method: string, path: string, body?: unknown) =>
  read<Content>(await tables.request(method, path, body === undefined ? null : JSON.stringify(body)))

/** A table for people at this device, on the first seats (src/tavolino/local/hot_seat.py). */
interface OpenHotSeat {
  game: string
  names: readonly string[]
  bots: number
  level: Level
}

/** What names no table. */
export const local = {
  /** Instead of another tab, which says so. */
  takeOver: async () => void (await open(true)),
  /** The first line of a file of games, a table as a line of it, and what came of a line of such a file. */
  header: () => ask<object>('GET', '/api/lines'),
  line: (table: string) => ask<object>('GET', atTable(table, '/line')),
  bring: async (line: string) => read<{ result: string }>(await tables.request('POST', '/api/lines', line)).result,
  myTables: () => ask<MyTables>('GET', '/api/me/tables'),
  openHotSeat: (wanted: OpenHotSeat) => ask<Table>('POST', '/api/hot-seat', wanted),
  addSalts: (table: string, salts: readonly string[]) => ask<Table>('POST', atTable(table, '/salts'), { salts }),
  playNow: (wanted: PlayNow) => ask<Table>('POST', '/api/play-now', wanted),
}
