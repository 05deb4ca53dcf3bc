// A game against bots, with one click.

import { api, ApiError } from '../api/http'
import type { Game } from '../api/protocol'
import { games, loadGames } from './games.svelte'
import { ensureIdentity } from './identity.svelte'
import { go } from './router.svelte'
import { change, hasPlayed, settings, type PlayNowChoice } from './settings.svelte'
import { loadGameUI } from '../table/drawings'

/** A first game has few players. */
const MOST_SEATS_OF_A_FIRST_GAME = 3

/** What "Play now" takes: the last choices for this game. A first game is a simple one. */
export function choiceOf({ game, players, usual_seats, simple_options }: Game): PlayNowChoice {
  const kept = settings.playNow[game]
  if (kept) return kept
  if (hasPlayed(game)) return {}
  const seats = Math.max(players[0]!, Math.min(usual_seats, MOST_SEATS_OF_A_FIRST_GAME))
  return { seats, options: simple_options }
}

export function keepChoice(game: string, choice: PlayNowChoice): void {
  change('playNow', { ...settings.playNow, [game]: choice })
}

/** Without a connection there may be a table on this device: it needs no identity. */
const identified = () =>
  ensureIdentity().catch((problem: unknown) => {
    if (problem instanceof ApiError) throw problem
  })

/** Opens a table with the person's last choices for this game, and goes there. After a lesson it is not rated. */
export async function playNow(game: string, canBeRated = true): Promise<void> {
  void loadGameUI(game).catch(() => undefined)
  await Promise.all([identified(), loadGames()])
  const entry = games.of(game)
  const choice = entry ? choiceOf(entry) : {}
  const { seats = null, first = null, rated = false, options = {} } = choice
  const isRated = rated && canBeRated
  // Rated games are played by the usual rules.
  const table = await api.playNow({
    game,
    level: settings.level,
    seats,
    first,
    rated: isRated,
    options: isRated ? {} : options,
  })
  keepChoice(game, choice)
  go(`/table/${table.id}`)
}
