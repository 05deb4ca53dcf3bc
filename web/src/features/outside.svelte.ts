// Features from separate packages: the server lists their ES modules, which are loaded at a table without building the page
// anew. docs/guides/add-a-feature.md describes what a module exports, and what it gets.

import { untrack } from 'svelte'
import type { Table } from '../api/protocol'
import type { TableSession } from '../api/session.svelte'
import { i18n } from '../i18n/language.svelte'
import { features } from './registry.svelte'

export interface OutsideSession {
  readonly language: string
  readonly table: Table
  subscribe(callback: (table: Table) => void): () => void
  send(command: { type: string }): Promise<unknown>
}

export interface OutsideModule {
  title(language: string): string
  panel(element: HTMLElement, session: OutsideSession): (() => void) | undefined
}

let loaded = $state.raw<ReadonlyMap<string, OutsideModule>>(new Map())

export const outsideModules = {
  /** By the name of the feature. */
  get loaded(): ReadonlyMap<string, OutsideModule> {
    return loaded
  },
}

/** Loads all that are listed, each once. One that cannot be loaded leaves the table as it is. */
export async function loadOutsideModules(
  load: (address: string) => Promise<{ default: OutsideModule }> = (address) =>
    import(/* @vite-ignore */ address) as Promise<{ default: OutsideModule }>,
): Promise<void> {
  for (const { name, module } of features.outside) {
    if (loaded.has(name)) continue
    try {
      loaded = new Map([...loaded, [name, (await load(module)).default]])
    } catch (problem) {
      console.error(`feature ${name}:`, problem)
    }
  }
}

/** Calls something of a module. An error there is written to the console, and the page goes on. */
export function guarded<Answer>(name: string, call: () => Answer): Answer | undefined {
  try {
    return call()
  } catch (problem) {
    console.error(`feature ${name}:`, problem)
    return undefined
  }
}

/** All that a module gets of the page. */
export function sessionFor(name: string, session: TableSession): OutsideSession {
  return {
    get language() {
      return i18n.language
    },
    get table() {
      return session.table!
    },
    subscribe(callback) {
      let last: Table | null = null
      const tell = (table: Table | null) => {
        if (table === null || table === last) return
        last = table
        guarded(name, () => callback(table))
      }
      untrack(() => tell(session.table))
      return $effect.root(() => {
        $effect(() => {
          const { table } = session
          untrack(() => tell(table))
        })
      })
    },
    send: (command) => session.send(command as Parameters<TableSession['send']>[0]),
  }
}
