// Tournaments: programs and people play the same deals, each of them once.
import { onlyAt } from '../../lib/addresses'
import type { FeatureUI } from '../feature'
import { tournamentOf } from './api'

export default {
  order: 160,
  pages: [
    {
      name: 'tournaments',
      match: onlyAt('tournaments'),
      load: () => import('./Tournaments.svelte'),
    },
    {
      name: 'tournament',
      match: ([first, tournament, more]) => (first === 'tournament' && tournament && !more ? { tournament } : null),
      load: () => import('./Tournament.svelte'),
      key: 'tournament',
    },
  ],
  afterGame: (table) => {
    const tournament = tournamentOf(table)
    return tournament === null ? null : `/tournament/${tournament}`
  },
} satisfies FeatureUI
