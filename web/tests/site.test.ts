// The page in a folder of a plain host: its addresses, its links, and who answers what.
import { afterEach, beforeEach, expect, test, vi } from 'vitest'

const FOLDER = new URL('http://cards.example/cards/tavolino/')

/** The modules anew, for a page that says where it lies. */
async function onPlainHost() {
  vi.resetModules()
  Object.assign(document.documentElement.dataset, { site: './', answers: '/api/games /api/texts/en' })
  return { ...(await import('../src/lib/site')), ...(await import('../src/api/transport')) }
}

beforeEach(() => history.replaceState(null, '', '/cards/tavolino/'))
afterEach(() => {
  vi.unstubAllGlobals()
  localStorage.clear()
  delete document.documentElement.dataset.site
  delete document.documentElement.dataset.answers
  document.body.innerHTML = ''
})

test.each([
  ['/', '/cards/tavolino/'],
  ['/learn', '/cards/tavolino/?/learn'],
  ['/learn/go/rules#GO-1', '/cards/tavolino/?/learn/go/rules#GO-1'],
  ['/replay/~a?move=3&perspective=open', '/cards/tavolino/?/replay/~a?move=3&perspective=open'],
])('the address %s and back', async (address, written) => {
  const { inner, outer } = await import('../src/lib/site')
  expect(outer(address, FOLDER)).toBe(written)
  const { pathname, search, hash } = inner(new URL(written, FOLDER), FOLDER)
  expect(pathname + search + hash).toBe(address)
})

test.each([
  ['/cards/tavolino/index.html', '/'],
  ['/cards/tavolino/?fbclid=1', '/'],
  ['/cards/tavolino/?/learn&fbclid=1', '/learn'],
  ['/cards/tavolino/?//other.example/', '//other.example/'],
  // A host answers these with 404.html.
  ['/cards/tavolino/404.html', '/'],
  ['/cards/tavolino/learn/go/rules?x=1', '/learn/go/rules?x=1'],
  ['/cards/tavolino//other.example/', '//other.example/'],
  ['/elsewhere', '/elsewhere'],
])('the address %s is read as %s', async (written, address) => {
  const { inner } = await import('../src/lib/site')
  const { pathname, search } = inner(new URL(written, FOLDER), FOLDER)
  expect(pathname + search).toBe(address)
})

test('a server has its addresses as they are', async () => {
  const { file, inner, outer, site } = await import('../src/lib/site')
  expect(site).toBeNull()
  expect(outer('/learn?x#y')).toBe('/learn?x#y')
  expect(inner(new URL('http://here/learn?x#y'))).toEqual({ pathname: '/learn', search: '?x', hash: '#y' })
  expect(file('/icon.svg')).toBe('/icon.svg')
})

test('a link leads to where the page lies as soon as somebody is about to use it', async () => {
  const { leadLinks } = await onPlainHost()
  const stop = leadLinks()
  document.body.innerHTML =
    '<a href="/learn"><b>Learn</b></a><a href="https://other.example/">Other</a><a href="#x">x</a>'
  const [learn, other, here] = document.querySelectorAll('a')
  for (const link of [learn!.firstElementChild!, other!, here!])
    for (let times = 0; times < 2; times += 1) link.dispatchEvent(new Event('pointerover', { bubbles: true }))
  expect(learn!.href).toBe(`${location.origin}/cards/tavolino/?/learn`)
  expect(other!.href).toBe('https://other.example/')
  expect(here!.getAttribute('href')).toBe('#x')
  stop()
})

test('what is the same for everybody is read from files, and what needs a server is refused', async () => {
  const { sendRequest } = await onPlainHost()
  const fetched = vi.fn((address: string) => Promise.resolve(new Response(`"${address}"`)))
  vi.stubGlobal('fetch', fetched)
  expect(await sendRequest('GET', '/api/games', null)).toEqual({
    status: 200,
    text: '"/cards/tavolino/api/games.json"',
  })
  for (const [method, path] of [
    ['GET', '/api/addresses'],
    ['POST', '/api/tables'],
    ['GET', '/api/tables/AAAAAAAAAAAAAAAAAAAAAA'],
    ['POST', '/api/games'],
  ] as const) {
    const { status, text } = await sendRequest(method, path, null)
    expect([status, JSON.parse(text)]).toEqual([404, expect.objectContaining({ code: 'needs-server' })])
  }
  expect(fetched).toHaveBeenCalledTimes(1)
})

test('the name is kept here, and no worker is started for it or for a first visit', async () => {
  const { sendRequest } = await onPlainHost()
  vi.stubGlobal(
    'Worker',
    class {
      constructor() {
        throw new Error('a worker')
      }
    },
  )
  const ask = async (method: string, path: string, body?: object) => {
    const { status, text } = await sendRequest(method, path, body ? JSON.stringify(body) : null)
    return [status, text ? JSON.parse(text) : null]
  }
  expect((await ask('GET', '/api/me'))[0]).toBe(401)
  expect(await ask('GET', '/api/me/tables')).toEqual([200, { playing: [], finished: [], invitations: [] }])
  expect(await ask('POST', '/api/me', { name: 'Ada' })).toEqual([200, expect.objectContaining({ name: 'Ada' })])
  expect(await ask('POST', '/api/me', { name: 'Guest 7', only_new: true })).toEqual([
    200,
    expect.objectContaining({ name: 'Ada' }),
  ])
  expect(await ask('GET', '/api/me')).toEqual([200, expect.objectContaining({ name: 'Ada' })])
  expect(await ask('DELETE', '/api/me')).toEqual([204, null])
  expect((await ask('GET', '/api/me'))[0]).toBe(401)
})

test('without a connection the tables here stand in for what somebody has asked for, and for nothing else', async () => {
  vi.resetModules()
  const { sendRequest } = await import('../src/api/transport')
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('no connection')))
  const { default: own } = await import('../src/features/local_tables/transport')
  const answered: string[] = []
  own.load = () =>
    Promise.resolve({
      request: (_method, path) => {
        answered.push(path)
        return Promise.resolve({ status: 200, text: '{}' })
      },
      openSocket: () => null as never,
    })
  for (const path of ['/api/play-now', '/api/puzzles/go', '/api/puzzles/go/1']) await sendRequest('POST', path, null)
  expect(answered).toEqual(['/api/play-now', '/api/puzzles/go', '/api/puzzles/go/1'])
  for (const path of ['/api/me', '/api/me/tables', '/api/games', '/api/tables/AAAA'])
    await expect(sendRequest('GET', path, null)).rejects.toThrow('no connection')
  expect(answered).toHaveLength(3)
})
