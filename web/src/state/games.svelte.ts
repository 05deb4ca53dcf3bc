// The games that the server offers, loaded once.

import { api } from '../api/http'
import type { Game } from '../api/protocol'
import { has, t } from '../i18n/language.svelte'
import { readable } from '../i18n/readable'

/** What newer servers add to a game's description. */
export type ListedGame = Game & {
  rule_prefix?: string
  usual_seats?: number
  /** How long a game takes people: from, to. */
  minutes?: readonly number[]
}

let list = $state.raw<readonly ListedGame[]>([])
let loading: Promise<void> | null = null

export const games = {
  get list(): readonly ListedGame[] {
    return list
  },
  of(name: string): ListedGame | undefined {
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
  const found = games.of(game)
  return found?.usual_seats ?? found?.players[0] ?? 2
}
