// The position that a page shows in a room: the leader's, or one's own while looking around. The leader's page runs ahead of
// the server, and sends its position at most a few times a second.

import type { Command, RoomPosition, News, Room } from '../../api/protocol'

/** Milliseconds between two positions that are sent. */
export const BETWEEN = 150
/** How many sent positions are kept, to recognise an older one when the server sends it back. */
const REMEMBERED = 30

const same = (one: RoomPosition, other: RoomPosition) =>
  one.variation === other.variation &&
  one.move === other.move &&
  one.perspective === other.perspective &&
  one.playing === other.playing

export class Leading {
  at = $state.raw<RoomPosition>({ variation: null, move: 0, perspective: 'open', playing: false })
  following = $state(true)
  leads = $state(false)

  private sent: RoomPosition[] = []
  private waiting: RoomPosition | null = null
  private timer: ReturnType<typeof setTimeout> | undefined

  constructor(private readonly send: (command: Extract<Command, { type: 'lead' }>) => Promise<News>) {}

  /** Applies the position that the server sends. */
  hear(room: Room): void {
    const began = !this.leads && room.leader !== null && room.leader === room.you
    this.leads = room.leader !== null && room.leader === room.you
    if (began) this.following = true
    // A position that this leader has sent is old; any other (a new variation) comes from the server.
    const isOld = this.leads && !began && this.sent.some((moment) => same(moment, room.at))
    if (this.following && !isOld) {
      this.at = room.at
      this.sent = [room.at]
    }
  }

  /** Shows another position: to everybody as the leader, otherwise only here. */
  show(to: Partial<RoomPosition>): void {
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

  private tell(moment: RoomPosition): void {
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
