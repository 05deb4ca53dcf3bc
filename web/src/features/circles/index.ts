// Circles of friends, and their series of same deals.
import { onlyAt } from '../../lib/addresses'
import type { FeatureUI } from '../feature'

export default {
  order: 50,
  // Its series are dealt and proven as daily deals are.
  depends: ['daily_deals'],
  pages: [
    {
      name: 'circles',
      match: onlyAt('circles'),
      load: () => import('./Circles.svelte'),
    },
    {
      name: 'circle',
      match: ([first, circle, more]) => (first === 'circle' && circle && !more ? { circle } : null),
      load: () => import('./Circle.svelte'),
      key: 'circle',
    },
  ],
  afterGame: ({ series }) => (series === null ? null : '/circles'),
} satisfies FeatureUI
