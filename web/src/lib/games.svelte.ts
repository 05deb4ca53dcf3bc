// The games on offer, asked for once.

import { api } from './api'
import type { Game } from './protocol'

export const gameNames = ['infinity-gauntlet', 'mantis', 'splendor-marvel'] as const
/** About how long a game takes, in minutes, and how many usually sit down. */
export const facts: Record<string, { minutes: number; usual: number; players: [number, number] }> = {
  'infinity-gauntlet': { minutes: 15, usual: 4, players: [2, 6] },
  mantis: { minutes: 10, usual: 4, players: [2, 6] },
  'splendor-marvel': { minutes: 30, usual: 3, players: [2, 4] },
}

let kept = $state.raw<readonly Game[]>([])
let asking: Promise<void> | null = null

export const games = {
  get list(): readonly Game[] {
    return kept
  },
  of(name: string): Game | undefined {
    return kept.find((game) => game.game === name)
  },
}

export function loadGames(): Promise<void> {
  asking ??= api.games().then(
    (list) => {
      kept = list
    },
    (problem: unknown) => {
      asking = null
      throw problem
    },
  )
  return asking
}
