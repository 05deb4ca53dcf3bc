// Play without a connection: tables of one person in a worker of this page.
import { onlyAt } from '../../lib/addresses'
import type { FeatureUI } from '../feature'
import tables from './transport'

export default {
  order: 170,
  pages: [
    {
      name: 'offline',
      match: onlyAt('offline'),
      load: () => import('./Offline.svelte'),
    },
    {
      name: 'hot-seat',
      match: onlyAt('hot-seat'),
      load: () => import('./HotSeat.svelte'),
    },
  ],
  depends: tables.features,
} satisfies FeatureUI
