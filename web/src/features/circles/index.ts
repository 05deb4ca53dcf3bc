// Circles of friends, and their series of same deals.
import { onlyAt } from '../../lib/addresses'
import type { FeatureUI } from '../feature'

export default {
  order: 50,
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
