import type { News, Table } from '../../api/protocol'
import type { TableSession } from '../../api/session.svelte'
import { settings } from '../../state/settings.svelte'
import type { SessionPart } from '../sessionParts'

/** Sends the picture that was chosen in this browser, before the deal. */
export default class SentPicture implements SessionPart {
  private sent: number | null = null

  constructor(private readonly session: TableSession) {}

  receive(news: News): void {
    if (news.type === 'table') this.send(news.table)
  }

  private send(table: Table): void {
    const seat = table.you.seat
    if (seat === null || table.phase !== 'waiting' || settings.avatar === null) return
    if (table.seats[seat]?.avatar === settings.avatar || this.sent === settings.avatar) return
    this.sent = settings.avatar
    this.session.send({ type: 'avatar', avatar: settings.avatar }).catch(() => undefined)
  }
}
