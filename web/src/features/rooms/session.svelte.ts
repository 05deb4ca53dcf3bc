import type { News, Room } from '../../api/protocol'
import type { SessionPart } from '../sessionParts'

/** The room of a finished game that is watched together. */
export default class WatchedRoom implements SessionPart {
  room = $state.raw<Room | null>(null)

  receive(news: News): void {
    if (news.type === 'room') this.room = news
    if (news.type === 'led' && this.room) this.room = { ...this.room, at: news.at }
  }
}
