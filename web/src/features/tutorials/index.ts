// Lessons on arranged deals.
import type { FeatureUI } from '../feature'

export default {
  order: 20,
  pages: [
    {
      name: 'tutorial',
      match: ([first, game, last, more]) =>
        first === 'learn' && game && last === 'tutorial' && !more ? { game } : null,
      load: () => import('./Tutorial.svelte'),
      key: 'game',
      hasTable: true,
    },
  ],
  lesson: ({ game, tutorial }) => (tutorial ? `/learn/${game}/tutorial` : null),
} satisfies FeatureUI
