import type { Seat } from '../../api/protocol'
import { t } from '../../i18n/language.svelte'
import type { SeatState } from '../../table/scene'
import type { PlayPart } from '../atTable'

/** Says at a seat that its player is on holiday. */
export default class VacationsAtSeats implements PlayPart {
  seat({ vacation }: Seat): Partial<SeatState> {
    return vacation === null ? {} : { state: t('seat.vacation') }
  }
}
