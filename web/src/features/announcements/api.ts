import { request } from '../../api/http'
import type { Announcement } from '../../api/protocol'

export const api = {
  announcement: () => request<Announcement>('GET', '/api/announcement'),
}
