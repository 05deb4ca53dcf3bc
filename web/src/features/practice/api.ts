import { request } from '../../api/http'
import type { Mistakes, Position, PuzzleCard, Solution } from '../../api/protocol'

export const api = {
  puzzles: (game: string) => request<PuzzleCard[]>('GET', `/api/puzzles/${encodeURIComponent(game)}`),
  puzzle: (game: string, id: string) =>
    request<Position>('GET', `/api/puzzles/${encodeURIComponent(game)}/${encodeURIComponent(id)}`),
  tryPuzzle: (game: string, id: string, action: string) =>
    request<Solution>('POST', `/api/puzzles/${encodeURIComponent(game)}/${encodeURIComponent(id)}`, { action }),
  mistakes: () => request<Mistakes>('GET', '/api/me/mistakes'),
  mistake: (id: string) => request<Position>('GET', `/api/me/mistakes/${encodeURIComponent(id)}`),
  tryMistake: (id: string, action: string) =>
    request<Solution>('POST', `/api/me/mistakes/${encodeURIComponent(id)}`, { action }),
  dropMistake: (id: string) => request<void>('DELETE', `/api/me/mistakes/${encodeURIComponent(id)}`),
  forgetPractice: () => request<void>('DELETE', '/api/me/practice'),
}
