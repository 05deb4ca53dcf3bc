import { request } from '../../api/http'
import type { AddBrowser, Notifications, QuietHours } from '../../api/protocol'

export const api = {
  notifications: () => request<Notifications>('GET', '/api/me/notifications'),
  addBrowser: (browser: AddBrowser) => request<Notifications>('POST', '/api/me/notifications', browser),
  setQuietHours: (hours: QuietHours) => request<Notifications>('POST', '/api/me/notifications/quiet', hours),
  stopNotifications: () => request<void>('DELETE', '/api/me/notifications'),
}
