import type { Hint, News, Notebook } from '../../api/protocol'
import type { SessionPart } from '../sessionParts'

/** The last hint, until the next move, and the last notebook. */
export default class AdviceMessages implements SessionPart {
  hint = $state.raw<Hint | null>(null)
  notebook = $state.raw<Notebook | null>(null)

  receive(news: News): void {
    if (news.type === 'play') this.hint = null
    if (news.type === 'hint') this.hint = news
    if (news.type === 'notebook') this.notebook = news
  }
}
