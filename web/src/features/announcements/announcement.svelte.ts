// The operator's announcement (`tavolino announce`): requested at the start and every few minutes, and sent to open tables
// at once.

import { api } from './api'
import type { Announcement } from '../../api/protocol'

/** Milliseconds between two requests. */
const PERIOD = 120_000

let current = $state.raw<{ number: number; text: string }>({ number: 0, text: '' })
let dismissed = $state(0)

export const announcement = {
  get text(): string {
    return current.number > dismissed ? current.text : ''
  },
  hear(news: Announcement): void {
    if (news.number > current.number) current = news
  },
  dismiss(): void {
    dismissed = current.number
  },
  /** Asks now and then; the function that is returned ends that. */
  follow(): () => void {
    const load = () => void api.announcement().then(this.hear, () => undefined)
    load()
    const timer = setInterval(load, PERIOD)
    return () => clearInterval(timer)
  },
}
