// Names for seats. Bots are called after what stands on a café table; everybody sees the same name for the same seat.

import { t } from './language.svelte'
import type { Seat } from './protocol'

const botNames = ['Espresso', 'Macchiato', 'Ristretto', 'Cappuccino', 'Lungo', 'Affogato']

export function botName(seat: number): string {
  return botNames[seat % botNames.length]!
}

export function seatName(seat: Seat): string {
  if (seat.kind === 'bot') return botName(seat.seat)
  return seat.name ?? t('common.seat', { n: seat.seat + 1 })
}
