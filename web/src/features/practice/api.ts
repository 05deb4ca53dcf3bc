import { request } from '../../api/http'
import type { Mistakes, Position, PuzzleCard, Solution } from '../../api/protocol'
import { site } from '../../lib/site'
import { forgetTries, noteTry, withTries } from './solvedHere'

const at = (game: string, id = '') => `/api/puzzles/${encodeURIComponent(game)}${id && `/${encodeURIComponent(id)}`}`

export const api = {
  async puzzles(game: string): Promise<PuzzleCard[]> {
    const cards = await request<PuzzleCard[]>('GET', at(game))
    return site ? withTries(cards) : cards
  },
  puzzle: (game: string, id: string) => request<Position>('GET', at(game, id)),
  async tryPuzzle(game: string, id: string, action: string): Promise<Solution> {
    const told = await request<Solution>('POST', at(game, id), { action })
    if (site) noteTry(id, told)
    return told
  },
  mistakes: () => request<Mistakes>('GET', '/api/me/mistakes'),
  mistake: (id: string) => request<Position>('GET', `/api/me/mistakes/${encodeURIComponent(id)}`),
  tryMistake: (id: string, action: string) =>
    request<Solution>('POST', `/api/me/mistakes/${encodeURIComponent(id)}`, { action }),
  dropMistake: (id: string) => request<void>('DELETE', `/api/me/mistakes/${encodeURIComponent(id)}`),
  forgetPractice: async () => (site ? forgetTries() : request<void>('DELETE', '/api/me/practice')),
}
