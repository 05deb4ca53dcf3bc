import type { OwnTables } from '../../api/transport'

export default {
  /** The first letter of their ids (src/tavolino/local/tables.py). */
  has: (table) => table.startsWith('~'),
  /** As src/tavolino/local/features.py has them. */
  features: ['advice', 'plans', 'rematch', 'seat_pictures', 'take_back', 'votes', 'reviews'],
  home: '/offline',
  title: 'offline.title',
  /** The first two letters of the ids of tables with several people. */
  curtain: (table) => (table.startsWith('~~') ? () => import('./Curtain.svelte') : null),
  load: () => import('./tables').then(({ tables }) => tables),
} satisfies OwnTables
