// Puzzles, and one's own mistakes again.
import { onlyAt } from '../../lib/addresses'
import type { FeatureUI } from '../feature'

export default {
  order: 160,
  pages: [
    {
      name: 'puzzles',
      match: onlyAt('puzzles'),
      load: () => import('./Puzzles.svelte'),
    },
    {
      name: 'puzzle',
      /** Without a game: a mistake of one's own. Without an id: the next puzzle. */
      match: ([first, second, third, more], search) =>
        first === 'puzzles' && second && !more
          ? { game: second, id: third ?? null, level: search.get('level'), theme: search.get('theme') }
          : first === 'mistakes' && second && !third
            ? { game: null, id: second, level: null, theme: null }
            : null,
      load: () => import('./Puzzle.svelte'),
      hasTable: true,
    },
  ],
} satisfies FeatureUI
