// A browser notification when it is the person's turn and the page is hidden.

import { t } from '../../i18n/language.svelte'
import { file } from '../../lib/site'
import { settings } from '../../state/settings.svelte'

export function canNotify(): boolean {
  return typeof Notification !== 'undefined'
}

export async function allowNotifications(): Promise<boolean> {
  return canNotify() && (await Notification.requestPermission()) === 'granted'
}

let shown: Notification | null = null

export function notifyTurn(yourTurn: boolean, game: string): void {
  if (!yourTurn || !document.hidden) {
    shown?.close()
    shown = null
    return
  }
  if (shown || !settings.notify || !canNotify() || Notification.permission !== 'granted') return
  try {
    shown = new Notification(t('turn.yours'), { body: game, icon: file('/icon-192.png'), tag: 'tavolino-turn' })
  } catch {
    return // Some phones allow notifications to service workers only; the title's mark stays.
  }
  shown.onclick = () => {
    window.focus()
    shown?.close()
  }
}
