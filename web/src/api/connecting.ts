import { restoreIdentity } from '../state/identity.svelte'
import type { TableSession } from './session.svelte'
import { ownTables } from './transport'

/** Starts a session as this browser's person, and reconnects when the browser is online or visible again. Returns what
 *  stops it. A table that is not at the server needs neither an identity nor a connection. */
export function keepConnected(session: TableSession): () => void {
  if (ownTables(session.id)) {
    void session.start()
    return () => session.stop()
  }
  void restoreIdentity()
    .catch(() => undefined)
    .then(() => session.start())
  const online = () => session.reconnect()
  const offline = () => session.markLost()
  const visible = () => document.hidden || session.wake()
  addEventListener('online', online)
  addEventListener('offline', offline)
  document.addEventListener('visibilitychange', visible)
  return () => {
    session.stop()
    removeEventListener('online', online)
    removeEventListener('offline', offline)
    document.removeEventListener('visibilitychange', visible)
  }
}
