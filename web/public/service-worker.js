// The service worker: keeps the page and the offline pack for people who have asked to play without a connection, and
// shows a notification when it is somebody's turn.
//
// With a connection the page comes from the network, so nobody gets an old one. A new version waits until a page asks for
// it or all are closed. Who serves this file writes `self.SHELL` above it: the version, and the addresses of the page's
// files, of the answers that are the same for everybody, and of the pack (server/http/shell.py).

const { version, page, answers, pack } = self.SHELL ?? { version: 'none', page: [], answers: [], pack: [] }
const ROOT = new URL('./', self.location.href).href
const NAME = `tavolino ${ROOT} `
const OF_VERSION = `${NAME}${version}`
/** Milliseconds until what is kept is better than waiting. */
const PATIENCE = 4000
/** So many versions are kept: a page that is open may still need files of the one before. */
const VERSIONS = 2

const addresses = (paths) => new Set(paths.map((path) => new URL(path, ROOT).href))
const files = addresses([...page, ...pack])
const shared = addresses(answers)

const ours = async () => (await caches.keys()).filter((name) => name.startsWith(NAME))

/** Of this version; else of another one, for a page that is open since before. */
const kept = async (url) => (await caches.match(url, { cacheName: OF_VERSION })) ?? caches.match(url)

/** Keeps all that is not kept yet. Throws if a file cannot be had. An answer that cannot be had is left out: the server
 *  may still be preparing it. */
async function keep() {
  const cache = await caches.open(OF_VERSION)
  const there = new Set((await cache.keys()).map(({ url }) => url))
  await cache.addAll([...files].filter((url) => !there.has(url)).map((url) => new Request(url, { cache: 'no-cache' })))
  for (const url of shared) {
    const answer = there.has(url) ? null : await fetch(url)
    if (answer?.ok) await cache.put(url, answer)
  }
}

/** From the network; from what is kept, if the network fails or takes too long. */
async function newest(event, before, asked) {
  // A preload that has failed throws, or in Firefox gives an answer of the type `error`.
  const network = Promise.resolve(asked).then((answer) =>
    answer && answer.type !== 'error' ? answer : fetch(event.request),
  )
  const found = await before
  if (!found) return network
  const late = new Promise((done) => setTimeout(() => done(found), PATIENCE))
  return Promise.race([network.catch(() => found), late])
}

self.addEventListener('install', (event) =>
  event.waitUntil(ours().then((names) => (names.length ? keep() : undefined))),
)

self.addEventListener('activate', (event) =>
  event.waitUntil(
    (async () => {
      const old = (await ours()).filter((name) => name !== OF_VERSION)
      await Promise.all(old.slice(0, Math.max(0, old.length - VERSIONS + 1)).map((name) => caches.delete(name)))
      await self.registration.navigationPreload?.enable()
      await self.clients.claim()
    })(),
  ),
)

self.addEventListener('fetch', (event) => {
  const { request } = event
  const url = request.url.split('#')[0]
  if (request.method !== 'GET' || !url.startsWith(ROOT)) return
  if (request.mode === 'navigate') event.respondWith(newest(event, kept(ROOT), event.preloadResponse))
  else if (shared.has(url)) event.respondWith(newest(event, kept(url)))
  // Others have a hash or a version in their names, or come with the page.
  else if (files.has(url) || /\/(assets|offline)\//.test(url))
    event.respondWith(kept(url).then((found) => found ?? fetch(request)))
})

self.addEventListener('message', (event) => {
  const { type, file } = event.data
  const [port] = event.ports
  if (type === 'activate') void self.skipWaiting()
  else if (type === 'has') port.postMessage(files.has(file))
  else if (type === 'keep')
    event.waitUntil(
      keep().then(
        () => port.postMessage(true),
        () => port.postMessage(false),
      ),
    )
})

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
