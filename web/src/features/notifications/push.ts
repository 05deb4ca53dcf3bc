// Web Push: asks the browser for a subscription, and the server to use it.

import { api } from './api'
import { i18n } from '../../i18n/language.svelte'
import { file } from '../../lib/site'

/** Why this browser cannot be notified; '' if it can. */
export function whyNoPush(): '' | 'insecure' | 'unsupported' | 'blocked' {
  if (!isSecureContext) return 'insecure' // a plain HTTP page on a local network has no service worker
  if (!('serviceWorker' in navigator) || !('PushManager' in window) || typeof Notification === 'undefined')
    return 'unsupported'
  return Notification.permission === 'denied' ? 'blocked' : ''
}

const text = (key: ArrayBuffer | null) =>
  btoa(String.fromCharCode(...new Uint8Array(key ?? new ArrayBuffer(0))))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')

async function registration(): Promise<ServiceWorkerRegistration> {
  await navigator.serviceWorker.register(file('/service-worker.js'))
  return navigator.serviceWorker.ready
}

/** Whether this browser is subscribed. */
export async function isSubscribed(): Promise<boolean> {
  if (whyNoPush()) return false
  const found = await navigator.serviceWorker.getRegistration()
  return Boolean(await found?.pushManager.getSubscription())
}

/** Asks for permission and subscribes; false if the person does not allow it. */
export async function subscribe(): Promise<boolean> {
  if ((await Notification.requestPermission()) !== 'granted') return false
  const { key } = await api.notifications()
  const { pushManager } = await registration()
  const subscription = await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key })
  await api.addBrowser({
    endpoint: subscription.endpoint,
    p256dh: text(subscription.getKey('p256dh')),
    auth: text(subscription.getKey('auth')),
    language: i18n.language,
  })
  return true
}

/** No more notifications, on any device. */
export async function unsubscribe(): Promise<void> {
  await api.stopNotifications()
  const found = await navigator.serviceWorker?.getRegistration()
  await (await found?.pushManager.getSubscription())?.unsubscribe()
}

/** Quiet hours by this browser's clock, as "22:00"; '' for none. */
export async function setQuietHours(from: string, to: string): Promise<void> {
  const minutes = (time: string) => {
    const [hours = 0, rest = 0] = time.split(':').map(Number)
    return time ? hours * 60 + rest : null
  }
  await api.setQuietHours({
    quiet_from: minutes(from),
    quiet_to: minutes(to),
    utc_offset: -new Date().getTimezoneOffset(),
  })
}

export const asTime = (minutes: number | null): string =>
  minutes === null
    ? ''
    : `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`
