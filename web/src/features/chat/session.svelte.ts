// What is said at a table: the chat, what was said a moment ago at each seat, and the remarks that can be made.

import type { News, Said } from '../../api/protocol'
import type { TableSession } from '../../api/session.svelte'
import { play as sound } from '../../sound/play'
import type { SessionPart } from '../sessionParts'
import { Bubbles } from './bubbles.svelte'

/** How many messages are kept. */
const MAX_MESSAGES = 200

export default class Chat implements SessionPart {
  talk = $state.raw<readonly Said[]>([])
  /** How many messages of others came since the chat was last seen. */
  unread = $state(0)
  remarks = $state.raw<readonly string[]>([])
  readonly bubbles = new Bubbles()
  private hasChat = false

  constructor(private readonly session: TableSession) {}

  connecting(): void {
    this.hasChat = false
  }

  receive(news: News): void {
    if (news.type === 'play') this.remarks = news.remarks
    if (news.type !== 'talk') return
    // The first message after a hello holds the whole chat so far.
    const others = this.hasChat ? news.said.filter((said) => !this.isOurs(said)).length : 0
    this.unread += others
    if (others) sound('message')
    this.talk = [...(this.hasChat ? this.talk : []), ...news.said].slice(-MAX_MESSAGES)
    this.hasChat = true
    this.bubbles.receive(this.talk)
  }

  stop(): void {
    this.bubbles.stop()
  }

  private isOurs(said: Said): boolean {
    return said.seat !== null && said.seat === this.session.table?.you.seat
  }
}
