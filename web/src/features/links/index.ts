// Links that hold a whole game, a position or a puzzle in the part of the address that no server gets. The worker of the
// local tables writes and reads them (src/tavolino/local/links.py).
import type { FeatureUI } from '../feature'

export default {
  order: 178,
  pages: [
    {
      name: 'link',
      match: ([first, more], _search, hash) => (first === 'link' && !more ? { link: hash.replace('#', '') } : null),
      load: () => import('./Link.svelte'),
      key: 'link',
    },
  ],
  depends: ['local_tables', 'practice'],
  everywhere: true,
} satisfies FeatureUI
