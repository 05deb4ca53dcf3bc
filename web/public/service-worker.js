// The service worker: shows a notification when it is somebody's turn, and leads to the table. It caches nothing.

self.addEventListener('install', () => void self.skipWaiting())
self.addEventListener('activate', (event) => event.waitUntil(self.clients.claim()))

self.addEventListener('push', (event) => {
  const { title, body, url } = event.data.json()
  event.waitUntil(
    Promise.all([
      // One for each table: a later notification replaces the one before.
      self.registration.showNotification(title, { body, tag: url, icon: '/icon-192.png', data: { url } }),
      self.navigator.setAppBadge?.().catch(() => undefined),
    ]),
  )
})

self.addEventListener('notificationclick', (event) => {
  event.notification.close()
  const address = new URL(event.notification.data.url, self.location.origin).href
  event.waitUntil(
    self.clients.matchAll({ type: 'window', includeUncontrolled: true }).then((windows) => {
      const open = windows.find((one) => one.url === address)
      return open ? open.focus() : self.clients.openWindow(address)
    }),
  )
})
