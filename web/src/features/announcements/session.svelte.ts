import type { News } from '../../api/protocol'
import type { SessionPart } from '../sessionParts'
import { announcement } from './announcement.svelte'

/** At a table an announcement comes at once. */
export default class HeardAnnouncements implements SessionPart {
  receive(news: News): void {
    if (news.type === 'announcement') announcement.hear(news)
  }
}
