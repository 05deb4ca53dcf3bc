// What the generic table shows of a view: the fields of each seat, and all other fields of the game.

import type { View } from '../api/protocol'

export type Fields = Record<string, unknown>

/** The fields of every view; layout, question and log show them. */
const COMMON = new Set([
  'game',
  'players',
  'seat',
  'to_act',
  'legal',
  'described',
  'over',
  'outcome',
  'log',
  'prompt',
  'step',
  'seats',
])

export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export function tableFields(view: View): Fields {
  return Object.fromEntries(Object.entries(view).filter(([key]) => !COMMON.has(key)))
}

export function seatFields(view: View, seat: number): Fields {
  const fields: unknown = Array.isArray(view.seats) ? view.seats[seat] : null
  return isFields(fields) ? fields : {}
}
