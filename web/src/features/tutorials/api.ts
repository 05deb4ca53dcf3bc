import { request } from '../../api/http'
import type { Tutorial } from '../../api/protocol'

export const api = {
  tutorial: (game: string) => request<Tutorial>('GET', `/api/tutorials/${encodeURIComponent(game)}`),
}
