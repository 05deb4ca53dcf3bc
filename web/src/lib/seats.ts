// Names and colours of seats. Bots are named after coffees, by their number at the table.

import { t } from '../i18n/language.svelte'
import type { Seat } from '../api/protocol'

const botNames = ['Espresso', 'Macchiato', 'Ristretto', 'Cappuccino', 'Lungo', 'Affogato']

export function botName(number: number): string {
  return botNames[number % botNames.length]!
}

/** Its number at the table. */
export const botNumber = ({ bot, seat }: Seat): number => bot ?? seat

export function seatName(seat: Seat): string {
  if (seat.kind === 'bot') return botName(botNumber(seat))
  return seat.name ?? t('common.seat', { n: seat.seat + 1 })
}

const inks = ['#b7331c', '#2c5f9e', '#2d6b45', '#6f4596', '#8a5412', '#37596b']

/** The colour of a seat's disk, the same in the waiting room and at the table. */
export const seatInk = (seat: number): string => inks[seat % inks.length]!
