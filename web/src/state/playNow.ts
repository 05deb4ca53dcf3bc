// A game against bots, with one click.

import { api } from '../api/http'
import { ensureIdentity } from './identity.svelte'
import { go } from './router.svelte'
import { settings } from './settings.svelte'
import { loadGameUI } from '../table/drawings'

/** Opens a table with the person's last choices for this game, and goes there. After a lesson it is not rated. */
export async function playNow(game: string, canBeRated = true): Promise<void> {
  void loadGameUI(game).catch(() => undefined)
  await ensureIdentity()
  const { seats = null, first = null, rated = false } = settings.playNow[game] ?? {}
  const table = await api.playNow({ game, level: settings.level, seats, first, rated: rated && canBeRated })
  go(`/table/${table.id}`)
}
