import { request } from '../../api/http'
import type { DailyDeal, Table } from '../../api/protocol'

export const api = {
  daily: () => request<DailyDeal[]>('GET', '/api/daily'),
  playDaily: (game: string) => request<Table>('POST', `/api/daily/${encodeURIComponent(game)}`),
}
