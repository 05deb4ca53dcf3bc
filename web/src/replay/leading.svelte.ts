// What one page of a room shows: the leader's position, or one's own while looking around. The leader's own page is
// ahead of the server, and tells it where it is, a few times a second at most.

import type { Command, Moment, News, Room } from '../api/protocol'

/** Milliseconds between two positions that are sent. */
export const BETWEEN = 150
/** So many positions that were sent are remembered: the server may still tell an older one. */
const REMEMBERED = 30

const same = (one: Moment, other: Moment) =>
  one.variation === other.variation &&
  one.move === other.move &&
  one.eyes === other.eyes &&
  one.playing === other.playing

export class Leading {
  at = $state.raw<Moment>({ variation: null, move: 0, eyes: 'open', playing: false })
  following = $state(true)
  leads = $state(false)

  private sent: Moment[] = []
  private waiting: Moment | null = null
  private timer: ReturnType<typeof setTimeout> | undefined

  constructor(private readonly send: (command: Extract<Command, { type: 'lead' }>) => Promise<News>) {}

  /** Takes in what the server tells of the room. */
  hear(room: Room): void {
    const began = !this.leads && room.leader !== null && room.leader === room.you
    this.leads = room.leader !== null && room.leader === room.you
    if (began) this.following = true
    // Where the leader has been already, is old; what the server has chosen (a new variation) is news.
    const isOld = this.leads && !began && this.sent.some((moment) => same(moment, room.at))
    if (this.following && !isOld) {
      this.at = room.at
      this.sent = [room.at]
    }
  }

  /** Shows another position: to all as the leader, else to oneself alone. */
  show(to: Partial<Moment>): void {
    this.at = { ...this.at, ...to }
    if (this.leads) this.tell(this.at)
    else this.following = false
  }

  /** Back to what the leader shows. */
  follow(room: Room): void {
    this.following = true
    this.at = room.at
  }

  stop(): void {
    clearTimeout(this.timer)
  }

  private tell(moment: Moment): void {
    this.sent = [...this.sent, moment].slice(-REMEMBERED)
    this.waiting = moment
    if (this.timer !== undefined) return
    const next = () => {
      const now = this.waiting
      this.waiting = null
      this.timer = now ? setTimeout(next, BETWEEN) : undefined
      if (now) this.send({ type: 'lead', at: now }).catch(() => undefined)
    }
    next()
  }
}
