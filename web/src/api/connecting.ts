import { restoreIdentity } from '../state/identity.svelte'
import type { TableSession } from './session.svelte'

/** Starts a session as this browser's person, and reconnects when the browser is online or visible again. Returns what stops it. */
export function keepConnected(session: TableSession): () => void {
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
