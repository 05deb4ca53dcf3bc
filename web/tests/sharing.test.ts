// A new view keeps the objects of the one before where they are equal.

import { expect, test } from 'vitest'
import { keepEqualParts, withEqualParts } from '../src/lib/sharing'

const before = { seats: [{ tokens: { red: 1 } }, { tokens: { red: 2 } }], rows: { 1: ['a', null] }, over: false }
const copy = <T>(value: T) => JSON.parse(JSON.stringify(value)) as T

test('what is equal stays the same object, what differs is new', () => {
  const next = copy(before)
  next.seats[1]!.tokens.red = 3
  const shared = keepEqualParts(before, next)
  expect(shared).toEqual(next)
  expect(shared.seats[0]).toBe(before.seats[0])
  expect(shared.rows).toBe(before.rows)
  expect(shared.seats).not.toBe(before.seats)
  expect(before.seats[1]!.tokens.red, 'the one before is as it was').toBe(2)
})

test('the whole is a new object even if nothing differs, or a second equal view would not be noticed', () => {
  const shared = withEqualParts(before, copy(before))
  expect(shared).not.toBe(before)
  expect(shared.seats).toBe(before.seats)
})

test.each([
  [[1, 2], [1]],
  [[1], [1, 2]],
  [{ a: 1 }, { a: 1, b: null }],
  [{ a: 1, b: null }, { a: 1 }],
  [{ a: 1 }, { b: 1 }],
  [{ 0: 'a' }, ['a']],
  [['a'], { 0: 'a' }],
  [{ a: [] }, { a: {} }],
  [null, { a: 1 }],
  [{ a: 1 }, null],
  [0, false],
  ['1', 1],
])('%j and then %j is the latter', (old, next) => {
  expect(keepEqualParts(old, next)).toEqual(next)
  expect(Array.isArray(keepEqualParts(old, next))).toBe(Array.isArray(next))
})
