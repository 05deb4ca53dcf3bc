// What each decision of a finished game was worth.
import { numberIn } from '../../lib/addresses'
import type { FeatureUI } from '../feature'

export default {
  order: 180,
  pages: [
    {
      name: 'review',
      match: ([first, table, more], search) =>
        first === 'review' && table && !more
          ? {
              table,
              seat: numberIn(search, 'seat'),
              move: numberIn(search, 'move'),
              quiz: search.has('quiz'),
            }
          : null,
      load: () => import('./Review.svelte'),
      key: 'table',
      hasTable: true,
    },
  ],
} satisfies FeatureUI
