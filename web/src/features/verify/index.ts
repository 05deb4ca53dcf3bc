// Check a game file on this device: the same code as `tavolino verify`, in a worker of this page.
import type { FeatureUI } from '../feature'

export default {
  order: 175,
  pages: [
    {
      name: 'verify',
      match: ([first, table, more]) => (first === 'verify' && !more ? { table: table ?? null } : null),
      load: () => import('./Verify.svelte'),
      key: 'table',
    },
  ],
  depends: ['local_tables'],
  everywhere: true,
} satisfies FeatureUI
