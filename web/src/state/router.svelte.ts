// Client-side router: the page that is open, read from the address.

export type Route =
  | { page: 'home' }
  | { page: 'open'; game: string | null }
  | { page: 'table'; table: string }
  | { page: 'replay'; table: string; move: number | null; perspective: string }
  | { page: 'review'; table: string; seat: number | null; move: number | null; quiz: boolean }
  | { page: 'watch'; table: string }
  | { page: 'learn' }
  | { page: 'tutorial'; game: string }
  | { page: 'rules'; game: string }
  | { page: 'return'; token: string }
  | { page: 'you' }
  | { page: 'puzzles' }
  | { page: 'daily' }
  | { page: 'history' }
  | { page: 'circles' }
  | { page: 'circle'; circle: string }
  /** Without a game: a mistake of one's own. Without an id: the next puzzle. */
  | { page: 'puzzle'; game: string | null; id: string | null; level: string | null }
  | { page: 'missing' }

/** The page that an address names. A return link has its secret in the fragment, which browsers do not send. */
export function routeOf(path: string, query: string, hash: string): Route {
  const parts = path.split('/').filter(Boolean).map(decodeURIComponent)
  const search = new URLSearchParams(query)
  const [first, second, third] = parts
  if (first === undefined) return { page: 'home' }
  if (parts.length === 1 && first === 'open') return { page: 'open', game: search.get('game') }
  if (parts.length === 1 && first === 'you') return { page: 'you' }
  if (parts.length === 1 && first === 'return') return { page: 'return', token: hash.replace(/^#/, '') }
  if (parts.length === 1 && first === 'learn') return { page: 'learn' }
  if (first === 'history' && parts.length === 1) return { page: 'history' }
  if (first === 'circles' && parts.length === 1) return { page: 'circles' }
  if (first === 'circle' && parts.length === 2 && second) return { page: 'circle', circle: second }
  if (first === 'daily' && parts.length === 1) return { page: 'daily' }
  if (first === 'puzzles' && parts.length === 1) return { page: 'puzzles' }
  if (first === 'puzzles' && parts.length <= 3 && second)
    return { page: 'puzzle', game: second, id: third ?? null, level: search.get('level') }
  if (first === 'mistakes' && parts.length === 2 && second)
    return { page: 'puzzle', game: null, id: second, level: null }
  if (parts.length === 2 && first === 'table' && second) return { page: 'table', table: second }
  if (parts.length === 2 && first === 'watch' && second) return { page: 'watch', table: second }
  if (parts.length === 2 && first === 'replay' && second) {
    return {
      page: 'replay',
      table: second,
      move: numberOf(search.get('move')),
      // Links of version 0.1 say `eyes`.
      perspective: search.get('perspective') ?? search.get('eyes') ?? 'open',
    }
  }
  if (parts.length === 2 && first === 'review' && second)
    return {
      page: 'review',
      table: second,
      seat: numberOf(search.get('seat')),
      move: numberOf(search.get('move')),
      quiz: search.has('quiz'),
    }
  if (parts.length === 3 && first === 'learn' && second && third === 'tutorial')
    return { page: 'tutorial', game: second }
  if (parts.length === 3 && first === 'learn' && second && third === 'rules') return { page: 'rules', game: second }
  return { page: 'missing' }
}

const numberOf = (text: string | null) => (text === null ? null : Number(text) || 0)

function here(): Route {
  return routeOf(location.pathname, location.search, location.hash)
}

export const router = $state<{ route: Route }>({ route: here() })

/** Navigates without a reload. */
export function go(address: string, replace = false): void {
  if (replace) history.replaceState(null, '', address)
  else history.pushState(null, '', address)
  router.route = here()
  if (!replace && !location.hash) scrollTo(0, 0)
}

/** Handles clicks on links of this site, and the browser's back and forward. */
export function listen(): () => void {
  const follow = (event: MouseEvent) => {
    if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey) return
    const link = (event.target as Element | null)?.closest?.('a')
    if (!link || link.target || link.hasAttribute('download') || link.origin !== location.origin) return
    if (link.pathname.startsWith('/api/')) return
    // Links within the same page are left to the browser.
    if (link.hash && link.pathname === location.pathname && link.search === location.search) return
    event.preventDefault()
    go(link.pathname + link.search + link.hash)
  }
  const moved = () => (router.route = here())
  document.addEventListener('click', follow)
  addEventListener('popstate', moved)
  return () => {
    document.removeEventListener('click', follow)
    removeEventListener('popstate', moved)
  }
}
