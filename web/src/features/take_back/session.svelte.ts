import type { News } from '../../api/protocol'
import type { SessionPart } from '../sessionParts'

/** Whether the last decision of this player may be taken back, if the others agree. */
export default class TakeBack implements SessionPart {
  isPossible = $state(false)

  receive(news: News): void {
    if (news.type === 'play') this.isPossible = news.take_back
  }
}
