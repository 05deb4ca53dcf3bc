// One table as this browser follows it: the socket, what came over it, and the way back when it drops.

import { api, Refusal } from './api'
import { keptSeal, sealFor } from './fairness'
import type { Clock, Command, Hint, Line, News, Notebook, Problem, Said, Table, View } from './protocol'

export type Link = 'connecting' | 'open' | 'lost' | 'gone' | 'closed'
type Unsent = Command extends infer Kind ? (Kind extends { type: 'hello' } ? never : Kind) : never
type Wait = { done: (news: News) => void; failed: (problem: Problem) => void }

const LONGEST_PAUSE = 8000
const ANSWER_WITHIN = 20_000
/** A socket that was silent for so long may be dead, though the browser has not noticed. */
const SILENCE = 60_000

export class TableSession {
  link = $state<Link>('connecting')
  table = $state.raw<Table | null>(null)
  view = $state.raw<View | null>(null)
  log = $state.raw<readonly Line[]>([])
  turn = $state(0)
  clock = $state.raw<(Clock & { at: number }) | null>(null)
  remarks = $state.raw<readonly string[]>([])
  talk = $state.raw<readonly Said[]>([])
  notebook = $state.raw<Notebook | null>(null)
  hint = $state.raw<Hint | null>(null)
  /** What others said since this was opened, until somebody looks. */
  unheard = $state(0)
  /** How many log lines were there when the last view came: what is newer has just happened. */
  fresh = $state(0)

  private socket: WebSocket | null = null
  private pause = 500
  private timer: ReturnType<typeof setTimeout> | undefined
  private refs = 0
  private waiting = new Map<string, Wait>()
  private over = false
  private greeted = false
  private heardAt = 0

  constructor(readonly id: string) {}

  async start(): Promise<void> {
    try {
      this.table = await api.table(this.id)
      this.connect()
    } catch (problem) {
      if (problem instanceof Refusal && problem.status === 404) this.link = 'gone'
      else this.retry()
    }
  }

  stop(): void {
    this.over = true
    clearTimeout(this.timer)
    this.socket?.close()
  }

  /** Try again now: the person is back, or asks. */
  wake(): void {
    if (this.link !== 'open' || Date.now() - this.heardAt > SILENCE) this.again()
  }

  /** The network went: the browser may not notice for minutes that its socket is dead. */
  cut(): void {
    if (!this.over && this.link === 'open') this.link = 'lost'
  }

  /** A new socket in place of one that may be dead: the network is back, or a question was not answered. */
  again(): void {
    if (this.over || this.link === 'gone' || this.link === 'closed') return
    clearTimeout(this.timer)
    this.pause = 500
    if (this.link === 'open') this.link = 'connecting'
    this.drop()
    void this.start()
  }

  /** Open the socket again, as somebody else: the identity is read at the handshake. */
  reopen(): void {
    this.drop()
    this.log = []
    void this.start()
  }

  /** Sends a command; the promise is its `accepted` (or answer), or fails with the Problem of a refusal. */
  ask(command: Unsent): Promise<News> {
    const ref = String((this.refs += 1))
    return new Promise((done, failed) => {
      if (this.socket?.readyState !== WebSocket.OPEN) return failed(unanswered)
      this.waiting.set(ref, { done, failed })
      setTimeout(() => this.waiting.has(ref) && this.again(), ANSWER_WITHIN)
      this.socket.send(JSON.stringify({ ...command, ref }))
    })
  }

  private drop(): void {
    const old = this.socket
    this.socket = null
    old?.close()
    for (const ref of [...this.waiting.keys()]) this.settle(ref, (wait) => wait.failed(unanswered))
  }

  private connect(): void {
    if (this.over) return
    this.drop()
    const scheme = location.protocol === 'https:' ? 'wss' : 'ws'
    const socket = new WebSocket(`${scheme}://${location.host}/api/tables/${encodeURIComponent(this.id)}/socket`)
    this.socket = socket
    this.greeted = false
    socket.onopen = () => socket.send(JSON.stringify({ type: 'hello', lines: this.log.length }))
    socket.onmessage = (message) => this.socket === socket && this.hear(JSON.parse(String(message.data)) as News)
    socket.onclose = () => {
      if (this.socket !== socket) return
      for (const ref of [...this.waiting.keys()]) this.settle(ref, (wait) => wait.failed(unanswered))
      if (this.link !== 'closed') this.retry()
    }
  }

  private retry(): void {
    if (this.over) return
    this.link = 'lost'
    this.timer = setTimeout(() => void this.start(), this.pause)
    this.pause = Math.min(this.pause * 2, LONGEST_PAUSE)
  }

  private settle(ref: string | null, how: (wait: Wait) => void): void {
    const wait = ref === null ? undefined : this.waiting.get(ref)
    if (!wait) return
    this.waiting.delete(ref!)
    how(wait)
  }

  private hear(news: News): void {
    this.heardAt = Date.now()
    switch (news.type) {
      case 'table':
        this.link = 'open'
        this.pause = 500
        this.table = news.table
        this.seal(news.table)
        break
      case 'play':
        this.fresh = news.from_line
        this.log = [...this.log.slice(0, news.from_line), ...news.lines]
        this.turn = news.turn
        this.view = news.view
        this.clock = news.clock && { ...news.clock, at: Date.now() }
        this.remarks = news.remarks
        this.hint = null
        break
      case 'talk':
        // The first one after a hello holds all that was said so far.
        if (this.greeted) this.unheard += news.said.filter((said) => !this.isOurs(said)).length
        this.talk = [...(this.greeted ? this.talk : []), ...news.said].slice(-200)
        this.greeted = true
        break
      case 'notebook':
        this.notebook = news
        break
      case 'hint':
        this.hint = news
        break
      case 'closing':
        if (!news.come_back) this.link = 'closed'
        break
    }
    if ('ref' in news) {
      if (news.type === 'refused') this.settle(news.ref, (wait) => wait.failed(news.problem))
      else this.settle(news.ref, (wait) => wait.done(news))
    }
  }

  private isOurs(said: Said): boolean {
    return said.seat !== null && said.seat === this.table?.you.seat
  }

  /** Before the deal: keep the commitment, then send our salt. */
  private seal(table: Table): void {
    const seat = table.you.seat
    if (seat === null || (table.phase !== 'waiting' && table.phase !== 'sealing')) return
    const kept = keptSeal(table.id)
    if (table.seats[seat]?.salted && kept?.seat === seat) return
    const { salt } = sealFor(table.id, table.fairness.commitment, seat)
    // A refusal means that the salts were frozen a moment ago; the check after the game tells.
    this.ask({ type: 'salt', salt }).catch(() => undefined)
  }
}

const unanswered: Problem = { code: 'no-answer', key: 'problem.no-answer', params: {}, rule: null }
