// Watching a finished game together.
import type { FeatureUI } from '../feature'

export default {
  order: 190,
  pages: [
    {
      name: 'watch',
      match: ([first, table, more]) => (first === 'watch' && table && !more ? { table } : null),
      load: () => import('./Watch.svelte'),
      key: 'table',
      hasTable: true,
    },
  ],
} satisfies FeatureUI
