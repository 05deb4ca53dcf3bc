// One deal a day, the same for everybody.
import { onlyAt } from '../../lib/addresses'
import type { FeatureUI } from '../feature'

export default {
  order: 150,
  pages: [
    {
      name: 'daily',
      match: onlyAt('daily'),
      load: () => import('./Daily.svelte'),
    },
  ],
  afterGame: ({ daily }) => (daily === null ? null : '/daily'),
} satisfies FeatureUI
