import { atTable, request } from '../../api/http'
import type { PlayOn, ShareReview, Review, Table } from '../../api/protocol'

export const api = {
  review: (table: string, seat: number) => request<Review>('GET', atTable(table, `/review?seat=${seat}`)),
  shareReview: (table: string, shared: boolean) => request<ShareReview>('POST', atTable(table, '/review'), { shared }),
  playOn: (table: string, wanted: PlayOn) => request<Table>('POST', atTable(table, '/play-on'), wanted),
}
