// The games that the server offers, loaded once.

import { api } from '../api/http'
import type { Game } from '../api/protocol'
import { has, t } from '../i18n/language.svelte'
import { readable } from '../i18n/readable'

let list = $state.raw<readonly Game[]>([])
let loading: Promise<void> | null = null

export const games = {
  get list(): readonly Game[] {
    return list
  },
  of(name: string): Game | undefined {
    return list.find((game) => game.game === name)
  },
}

/** After a failure the next call tries again. */
export function loadGames(): Promise<void> {
  loading ??= api.games().then(
    (found) => {
      list = found
    },
    (problem: unknown) => {
      loading = null
      throw problem
    },
  )
  return loading
}

export function gameName(game: string): string {
  return has(`${game}.name`) ? t(`${game}.name`) : readable(game)
}

/** The numbers of players, fewest first. */
export function playerCounts(game: string): readonly number[] {
  return games.of(game)?.players ?? []
}

export function usualSeats(game: string): number {
  return games.of(game)?.usual_seats ?? 0
}
