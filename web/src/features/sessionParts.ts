// What features hear from the server at a table.

import type { News } from '../api/protocol'
import type { TableSession } from '../api/session.svelte'
import { inOrder } from './registry.svelte'

/** A feature's part of a connection to a table. Its class is the default export of the feature's session.svelte.ts. */
export interface SessionPart {
  /** The socket is opened, perhaps again. */
  connecting?(): void
  receive(news: News): void
  stop?(): void
}

export const sessionParts = inOrder(
  import.meta.glob<new (session: TableSession) => SessionPart>('../features/*/session.svelte.ts', {
    eager: true,
    import: 'default',
  }),
)
