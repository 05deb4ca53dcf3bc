// Client-side router: the page that is open, read from the address.

import type { Component } from 'svelte'
import { featurePages } from '../features/registry.svelte'
import { inner, leadLinks, outer, site } from '../lib/site'
import { corePages } from '../pages/lazy'

type Properties = Record<string, unknown>

/** A page in a chunk of its own. */
export interface Page {
  name: string
  /** What the address says, as properties of the page; null: it is the address of another one. A return link has its
   *  secret in the fragment, which browsers do not send. */
  match: (parts: readonly string[], search: URLSearchParams, hash: string) => Properties | null
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- each page has properties of its own
  load: () => Promise<{ default: Component<any> }>
  /** With another value of this property it is drawn anew. */
  key?: string
  /** It shows a table: in a short window the header stands below it. Known from the address, before the table is loaded,
   *  so that nothing moves then. */
  hasTable?: boolean
}

export interface Route {
  /** `home`, `missing`, or the name of a page. */
  name: string
  properties: Properties
  page: Page | null
  /** The feature that the page belongs to. */
  feature: string | null
}

const allPages = [...corePages.map((page) => ({ feature: null, page })), ...featurePages]

/** The page that an address names. */
export function routeOf(path: string, query: string, hash: string): Route {
  const parts = path.split('/').filter(Boolean).map(decodeURIComponent)
  if (!parts.length) return { name: 'home', properties: {}, page: null, feature: null }
  const search = new URLSearchParams(query)
  for (const { feature, page } of allPages) {
    const properties = page.match(parts, search, hash)
    if (properties) return { name: page.name, properties, page, feature }
  }
  return { name: 'missing', properties: {}, page: null, feature: null }
}

/** Starts to load the page; whoever draws it later gets the result or the error. */
export function preloadPage({ page }: Route): void {
  page?.load().catch(() => undefined)
}

function here(): Route {
  const { pathname, search, hash } = inner(location)
  return routeOf(pathname, search, hash)
}

let route = $state.raw(here())

export const router = {
  get route(): Route {
    return route
  },
}

/** Navigates without a reload. */
export function go(address: string, replace = false): void {
  if (replace) history.replaceState(null, '', outer(address))
  else history.pushState(null, '', outer(address))
  route = here()
  if (!replace && !location.hash) scrollTo(0, 0)
}

/** Handles clicks on links of this site, and the browser's back and forward. */
export function listen(): () => void {
  const follow = (event: MouseEvent) => {
    if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey) return
    const link = (event.target as Element | null)?.closest?.('a')
    if (!link || link.target || link.hasAttribute('download') || link.origin !== location.origin) return
    if (link.pathname.startsWith('/api/') || (site && link.pathname !== site.pathname)) return
    // Links within the same page are left to the browser.
    if (link.hash && link.pathname === location.pathname && link.search === location.search) return
    event.preventDefault()
    const { pathname, search, hash } = inner(link)
    go(pathname + search + hash)
  }
  const moved = () => (route = here())
  const unlead = leadLinks()
  document.addEventListener('click', follow)
  addEventListener('popstate', moved)
  return () => {
    unlead()
    document.removeEventListener('click', follow)
    removeEventListener('popstate', moved)
  }
}
