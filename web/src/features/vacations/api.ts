import { request } from '../../api/http'
import type { Vacations } from '../../api/protocol'

export const api = {
  vacation: () => request<Vacations>('GET', '/api/me/vacation'),
  takeVacation: (days: number) => request<Vacations>('POST', '/api/me/vacation', { type: 'vacation', days }),
}
