// Check a game file on this device: the same code as `tavolino verify`, in a worker of this page.
import type { FeatureUI } from '../feature'

export default {
  order: 175,
  pages: [
    {
      name: 'verify',
      match: ([word, table, ...more]) => (word === 'verify' && !more.length ? { table: table ?? null } : null),
      load: () => import('./Verify.svelte'),
      key: 'table',
    },
  ],
  depends: ['local_tables'],
  everywhere: true,
} satisfies FeatureUI
