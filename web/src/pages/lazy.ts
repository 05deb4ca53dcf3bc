// The pages that are no feature's. Those of features are in their folders.

import { numberIn, onlyAt } from '../lib/addresses'
import type { Page } from '../state/router.svelte'

export const corePages: readonly Page[] = [
  {
    name: 'open',
    match: (parts, search) => onlyAt('open')(parts) && { game: search.get('game') },
    load: () => import('./OpenTable.svelte'),
  },
  {
    name: 'table',
    match: ([first, table, more]) => (first === 'table' && table && !more ? { table } : null),
    load: () => import('./TablePage.svelte'),
    key: 'table',
    hasTable: true,
  },
  {
    name: 'replay',
    match: ([first, table, more], search) =>
      first === 'replay' && table && !more
        ? {
            table,
            move: numberIn(search, 'move'),
            // Links of version 0.1 say `eyes`.
            perspective: search.get('perspective') ?? search.get('eyes') ?? 'open',
          }
        : null,
    load: () => import('./Replay.svelte'),
    hasTable: true,
  },
  { name: 'learn', match: onlyAt('learn'), load: () => import('./Learn.svelte') },
  {
    name: 'rules',
    match: ([first, game, last, more]) => (first === 'learn' && game && last === 'rules' && !more ? { game } : null),
    load: () => import('./Rules.svelte'),
    key: 'game',
  },
  { name: 'you', match: onlyAt('you'), load: () => import('./You.svelte') },
  {
    name: 'return',
    match: (parts, _search, hash) => onlyAt('return')(parts) && { token: hash.replace(/^#/, '') },
    load: () => import('./Return.svelte'),
  },
]
