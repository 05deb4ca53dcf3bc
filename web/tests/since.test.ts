// The mark in the log above what is new since the viewer's last turn.
import { expect, test } from 'vitest'
import type { Line } from '../src/api/protocol'
import { firstLineSince } from '../src/table/since'

const log = [
  { kind: 'drawn', seat: 0 },
  { kind: 'played', seat: 0 },
  { kind: 'chosen', seat: 0 },
  { kind: 'drawn', seat: 1 }, // the next turn begins, in the message that tells the outcome of the decision
  { kind: 'played', seat: 1 },
  { kind: 'shuffled' },
  { kind: 'drawn', seat: 0 },
] as unknown as Line[]

test('the draw with which the next turn begins is new', () => {
  expect(firstLineSince(log, 4, 0)).toBe(3)
})

test('what the viewer did is not, and nor is anything before the first decision', () => {
  expect(firstLineSince(log, 3, 0)).toBe(3)
  expect(firstLineSince(log, 0, 0)).toBe(0)
  expect(firstLineSince(log, 0, null)).toBe(0)
})

test('the own draw that follows at once, a line without a seat, and the end of the log move nothing', () => {
  expect(firstLineSince(log, 2, 0)).toBe(2)
  expect(firstLineSince(log, 5, 0)).toBe(5)
  expect(firstLineSince(log, 7, 0)).toBe(7)
})
