// The tables of this person. The home page lists them, the header counts those that wait for a move.

import { api } from '../api/http'
import type { MyTables, TableCard } from '../api/protocol'
import { me } from './identity.svelte'

/** Milliseconds between two requests while the page is visible. */
const EVERY = 10_000

let found = $state.raw<MyTables | null>(null)

/** Those that wait for this person first. */
const order = (tables: readonly TableCard[]) => [...tables].sort((a, b) => Number(b.your_turn) - Number(a.your_turn))

export const myTables = {
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
  found = me.name === null ? null : await api.myTables().catch(() => found)
  showBadge(myTables.waiting.length)
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
