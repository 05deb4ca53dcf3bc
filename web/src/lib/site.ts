// Where the page lies. A server answers with it at every address. On a plain host it is one file in a folder, written by
// `tavolino site`: there an address of the page stands behind a question mark, as in `/cards/?/learn/chess/rules`,
// because every host answers that with the same file.

interface Parts {
  pathname: string
  search: string
  hash: string
}

const { site: folder, answers: files = '' } = document.documentElement.dataset

/** The folder on a plain host; null: a server has the page. */
export const site: URL | null = folder === undefined ? null : new URL(folder, location.href)

/** The paths of the page itself in the folder. */
const ENTRIES: readonly string[] = ['', 'index.html', '404.html']

/** The requests whose answers are files there. */
const answers = new Set(files.split(' '))

/** An address of the page, as the browser has it. */
export function outer(address: string, place = site): string {
  if (!place) return address
  const { pathname, search, hash } = new URL(address, place.origin)
  return place.pathname + (pathname === '/' ? '' : `?${pathname}${search}`) + hash
}

/** An address of the browser, as the page has it. */
export function inner({ pathname, search, hash }: Parts, place = site): Parts {
  if (!place) return { pathname, search, hash }
  const found = new URL(place.origin + written(pathname, search, place))
  return { pathname: found.pathname, search: found.search, hash }
}

/** An address of the page as it stands in one of the browser. */
function written(pathname: string, search: string, place: URL): string {
  // What programs append to links comes after an &.
  if (search.startsWith('?/')) return search.slice(1).replace(/^([^?&]*)&.*/, '$1')
  // A host that has no file there answers with 404.html, which shows the page that a server has at this path.
  if (!pathname.startsWith(place.pathname)) return pathname + search
  const path = pathname.slice(place.pathname.length)
  return ENTRIES.includes(path) ? '/' : `/${path}${search}`
}

/** The address of a file of the page, such as `/icon.svg`. */
export const file = (path: string, place = site): string => (place ? place.pathname + path.slice(1) : path)

/** The file that answers a request; null: nothing does on a plain host. */
export const answerFile = (path: string): string | null => (answers.has(path) ? file(`${path}.json`) : null)

const link = (event: Event) => (event.target as Element | null)?.closest?.('a') ?? null

/** Links name addresses of the page. Whatever a browser does with one (open it elsewhere, copy it, show where it leads)
 *  begins with one of these events. */
const BEFORE = ['pointerover', 'focusin', 'click', 'auxclick', 'contextmenu', 'dragstart'] as const

function lead(event: Event): void {
  const found = link(event)
  const written = found?.getAttribute('href')
  if (written?.startsWith('/') && !written.startsWith('/api/')) found!.href = location.origin + outer(written)
}

/** Lets all links lead to where the page lies. */
export function leadLinks(): () => void {
  if (!site) return () => undefined
  for (const kind of BEFORE) document.addEventListener(kind, lead, true)
  return () => BEFORE.forEach((kind) => document.removeEventListener(kind, lead, true))
}
