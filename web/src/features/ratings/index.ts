// Rated games, one's ratings, and the games one has played.
import { onlyAt } from '../../lib/addresses'
import type { FeatureUI } from '../feature'

export default {
  order: 40,
  pages: [
    {
      name: 'history',
      match: onlyAt('history'),
      load: () => import('./History.svelte'),
    },
  ],
} satisfies FeatureUI
