// The connection to one table: state received over it, commands, reconnecting with exponential backoff.

import { api, ApiError } from './http'
import { openSocket, type Socket } from './transport'
import { sessionParts, type SessionPart } from '../features/sessionParts'
import { switchedOn } from '../features/registry.svelte'
import { storedSeal, storeSeal } from '../lib/fairness'
import { withEqualParts } from '../lib/sharing'
import type { Clock, Command, Line, News, Problem, Table, View } from './protocol'

export type ConnectionState = 'connecting' | 'open' | 'lost' | 'gone' | 'closed'
type TableCommand = Command extends infer Kind ? (Kind extends { type: 'hello' } ? never : Kind) : never
type Pending = { done: (news: News) => void; failed: (problem: Problem) => void }

// All in milliseconds.
const FIRST_BACKOFF = 500
const LONGEST_BACKOFF = 8000
const ANSWER_TIMEOUT = 20_000
/** A socket that was silent for this long may be dead although the browser has not noticed. */
const IDLE_TIMEOUT = 60_000

export class TableSession {
  connection = $state<ConnectionState>('connecting')
  /** Why the table is not shown: it is not there, or others may still play its deal. */
  refusal = $state.raw<Problem | null>(null)
  table = $state.raw<Table | null>(null)
  view = $state.raw<View | null>(null)
  log = $state.raw<readonly Line[]>([])
  turn = $state(0)
  clock = $state.raw<(Clock & { at: number }) | null>(null)
  /** How often this page was connected: increases with each reconnect. */
  greeted = $state(0)
  /** Index of the first log line that came with the present view. */
  firstNewLine = $state(0)
  /** Index of the first log line after the viewer's last decision; 0: there was none. */
  since = $state(0)

  private socket: Socket | null = null
  private backoff = FIRST_BACKOFF
  private timer: ReturnType<typeof setTimeout> | undefined
  private lastRef = 0
  private pending = new Map<string, Pending>()
  private stopped = false
  private isGreeted = false
  private lastMessageAt = 0

  private readonly parts: readonly SessionPart[]

  constructor(readonly id: string) {
    this.parts = switchedOn(sessionParts).map(({ part: Kind }) => new Kind(this))
  }

  /** A feature's own part, by its class. */
  part<Kind extends SessionPart>(kind: abstract new (...args: never[]) => Kind): Kind {
    return this.parts.find((part) => part instanceof kind) as Kind
  }

  async start(): Promise<void> {
    try {
      this.table = await api.table(this.id)
      this.connect()
    } catch (problem) {
      if (problem instanceof ApiError && (problem.status === 404 || problem.problem.code === 'still-secret')) {
        this.refusal = problem.problem
        this.connection = 'gone'
      } else this.retry()
    }
  }

  stop(): void {
    this.stopped = true
    clearTimeout(this.timer)
    this.socket?.close()
    for (const part of this.parts) part.stop?.()
  }

  /** Reconnects if the connection is lost or may be dead: the page is visible again, or the person asks. */
  wake(): void {
    if (this.connection !== 'open' || Date.now() - this.lastMessageAt > IDLE_TIMEOUT) this.reconnect()
  }

  /** The browser is offline: it may not notice for minutes that its socket is dead. */
  markLost(): void {
    if (!this.stopped && this.connection === 'open') this.connection = 'lost'
  }

  /** Replaces a socket that may be dead: the browser is online again, or a command was not answered. */
  reconnect(): void {
    if (this.stopped || this.connection === 'gone' || this.connection === 'closed') return
    clearTimeout(this.timer)
    this.backoff = FIRST_BACKOFF
    if (this.connection === 'open') this.connection = 'connecting'
    this.closeSocket()
    void this.start()
  }

  /** Opens the socket again after a change of identity, which the server reads at the handshake. */
  reopen(): void {
    this.closeSocket()
    this.log = []
    void this.start()
  }

  /** Sends a command. Resolves with its answer, or rejects with the Problem of a refusal. */
  send(command: TableCommand): Promise<News> {
    const ref = String((this.lastRef += 1))
    return new Promise((done, failed) => {
      if (this.socket?.readyState !== WebSocket.OPEN) return failed(noAnswer)
      this.pending.set(ref, { done, failed })
      setTimeout(() => this.pending.has(ref) && this.reconnect(), ANSWER_TIMEOUT)
      this.socket.send(JSON.stringify({ ...command, ref }))
    })
  }

  private closeSocket(): void {
    const old = this.socket
    this.socket = null
    old?.close()
    for (const ref of [...this.pending.keys()]) this.settle(ref, (command) => command.failed(noAnswer))
  }

  private connect(): void {
    if (this.stopped) return
    this.closeSocket()
    const socket = openSocket(this.id)
    this.socket = socket
    this.isGreeted = false
    for (const part of this.parts) part.connecting?.()
    socket.onopen = () => socket.send(JSON.stringify({ type: 'hello', lines: this.log.length }))
    socket.onmessage = (message) => this.socket === socket && this.receive(JSON.parse(String(message.data)) as News)
    socket.onclose = () => {
      if (this.socket !== socket) return
      for (const ref of [...this.pending.keys()]) this.settle(ref, (command) => command.failed(noAnswer))
      if (this.connection !== 'closed') this.retry()
    }
  }

  private retry(): void {
    if (this.stopped) return
    this.connection = 'lost'
    // Random, so that the players of a server that stops do not all connect to the next one at the same moment.
    this.timer = setTimeout(() => void this.start(), this.backoff * (0.5 + Math.random() / 2))
    this.backoff = Math.min(this.backoff * 2, LONGEST_BACKOFF)
  }

  private settle(ref: string | null, how: (command: Pending) => void): void {
    const command = ref === null ? undefined : this.pending.get(ref)
    if (!command) return
    this.pending.delete(ref!)
    how(command)
  }

  private receive(news: News): void {
    this.lastMessageAt = Date.now()
    switch (news.type) {
      case 'table':
        this.connection = 'open'
        this.backoff = FIRST_BACKOFF
        this.table = news.table
        if (!this.isGreeted) this.greeted += 1
        this.isGreeted = true
        this.sendSalt(news.table)
        break
      case 'play':
        this.firstNewLine = news.from_line
        this.since = news.since
        this.log = [...this.log.slice(0, news.from_line), ...news.lines]
        this.turn = news.turn
        this.view = withEqualParts(this.view, news.view)
        this.clock = news.clock && { ...news.clock, at: Date.now() }
        break
      case 'closing':
        if (!news.come_back) this.connection = 'closed'
        break
    }
    for (const part of this.parts) part.receive(news)
    if ('ref' in news) {
      if (news.type === 'refused') this.settle(news.ref, (command) => command.failed(news.problem))
      else this.settle(news.ref, (command) => command.done(news))
    }
  }

  /** Before the deal: store the commitment, then send the browser's salt. */
  private sendSalt(table: Table): void {
    const seat = table.you.seat
    if (seat === null || (table.phase !== 'waiting' && table.phase !== 'sealing')) return
    const kept = storedSeal(table.id)
    if (table.seats[seat]?.salted && kept?.seat === seat) return
    const { salt } = storeSeal(table.id, table.fairness.commitment, seat)
    // A refusal means that the salts were frozen just before; the check after the game shows it.
    this.send({ type: 'salt', salt }).catch(() => undefined)
  }
}

const noAnswer: Problem = { code: 'no-answer', key: 'problem.no-answer', params: {}, rule: null }
