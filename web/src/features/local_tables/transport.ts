import type { OwnTables } from '../../api/transport'

const PLAY_NOW = '/api/play-now'
/** What is asked of itself: where there is a server, the tables here are not loaded for it. */
const ALONE = ['/api/me', '/api/me/tables']

export default {
  /** The first letter of their ids (src/tavolino/local/tables.py). */
  has: (table) => table.startsWith('~'),
  /** As src/tavolino/local/features.py has them. */
  features: ['advice', 'plans', 'rematch', 'seat_pictures', 'take_back', 'votes', 'reviews'],
  home: '/offline',
  title: 'offline.title',
  /** The first two letters of the ids of tables with several people. */
  curtain: (table) => (table.startsWith('~~') ? () => import('./Curtain.svelte') : null),
  answers: (path, isAlone) =>
    path.startsWith('/api/puzzles/') || path === PLAY_NOW || (isAlone && ALONE.includes(path)),
  load: () => import('./onThisDevice').then(({ transport }) => transport),
} satisfies OwnTables
