// The tables of this person. The home page lists them, the header counts those that wait for a move.

import { api } from '../api/http'
import type { MyTables, TableCard } from '../api/protocol'
import { me } from './identity.svelte'

/** Milliseconds between two requests while the page is visible. */
const EVERY = 10_000

// Set if the home page had tables above its games when it was last open.
const MARK = 'tavolino.tables'

let found = $state.raw<MyTables | null>(null)
let expected = $state(isMarked())
/** The server has answered, or this browser has no identity to ask about. */
let known = $state(false)

function isMarked(): boolean {
  try {
    return localStorage.getItem(MARK) !== null
  } catch {
    return false
  }
}

function mark(isThere: boolean): void {
  try {
    if (isThere) localStorage.setItem(MARK, 'yes')
    else localStorage.removeItem(MARK)
  } catch {
    // Without storage the games are drawn first, and the tables push them down.
  }
}

/** Those that wait for this person first. */
const order = (tables: readonly TableCard[]) => [...tables].sort((a, b) => Number(b.your_turn) - Number(a.your_turn))

export const myTables = {
  /** Tables are expected but not loaded yet: what is below them is drawn later, so that it does not move. */
  get expected(): boolean {
    return expected
  },
  get known(): boolean {
    return known
  },
  /** Whether this person has played before, as far as the server keeps games. */
  get returning(): boolean {
    return expected || (found !== null && found.playing.length + found.finished.length > 0)
  },
  get playing(): readonly TableCard[] {
    return order(found?.playing ?? [])
  },
  /** To which somebody has invited this person. */
  get invitations(): readonly TableCard[] {
    return found?.invitations ?? []
  },
  get finished(): readonly TableCard[] {
    return found?.finished ?? []
  },
  /** The tables that wait for a move of this person. */
  get waiting(): readonly TableCard[] {
    return (found?.playing ?? []).filter((table) => table.your_turn)
  },
}

export async function loadMyTables(): Promise<void> {
  if (me.name === null) {
    found = null
    return showBadge(0)
  }
  try {
    found = await api.myTables()
    mark(found.playing.length + found.invitations.length > 0)
  } catch {
    // Keep what was loaded before.
  }
  expected = false
  known = true
  showBadge(myTables.waiting.length)
}

/** It is clear that this browser has no identity, or the server does not say. */
export function expectNoTables(): void {
  expected = false
  known = true
}

/** The number on the icon of an installed page. */
function showBadge(waiting: number): void {
  if (!('setAppBadge' in navigator)) return
  void (waiting ? navigator.setAppBadge(waiting) : navigator.clearAppBadge()).catch(() => undefined)
}

/** Requests the tables every few seconds, and when the page becomes visible. */
export function followMyTables(): () => void {
  const look = () => document.hidden || void loadMyTables()
  const timer = setInterval(look, EVERY)
  document.addEventListener('visibilitychange', look)
  return () => {
    clearInterval(timer)
    document.removeEventListener('visibilitychange', look)
  }
}
