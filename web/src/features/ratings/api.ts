import { atTable, request } from '../../api/http'
import type { Profile, RatedResult } from '../../api/protocol'

export const api = {
  rating: (table: string) => request<RatedResult>('GET', atTable(table, '/rating')),
  profile: () => request<Profile>('GET', '/api/me/profile'),
}
