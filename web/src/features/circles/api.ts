import { request } from '../../api/http'
import type { Circle, CircleCard, NewSeries, Series, Table } from '../../api/protocol'

const inCircle = (circle: string, rest = '') => `/api/circles/${encodeURIComponent(circle)}${rest}`

export const api = {
  circles: () => request<CircleCard[]>('GET', '/api/me/circles'),
  makeCircle: (name: string) => request<Circle>('POST', '/api/circles', { name }),
  circle: (id: string) => request<Circle>('GET', inCircle(id)),
  joinCircle: (id: string) => request<Circle>('POST', inCircle(id, '/join')),
  removeMember: (id: string, member: string) => request<void>('DELETE', inCircle(id, `/members/${member}`)),
  series: (circle: string) => request<Series[]>('GET', inCircle(circle, '/series')),
  makeSeries: (circle: string, wanted: NewSeries) => request<Series>('POST', inCircle(circle, '/series'), wanted),
  playSeries: (circle: string, series: string, number: number) =>
    request<Table>('POST', inCircle(circle, `/series/${encodeURIComponent(series)}/${number}`)),
}
