// Cards travel from where they were to where they are.
import { expect, test } from 'vitest'
import type { Line } from '../../src/api/protocol'
import { moves as mantisMoves } from '../../src/games/mantis/moves'
import { moves } from '../../src/games/splendor-marvel/moves'

const ways = (line: object, log: object[] = []) =>
  moves(line as Line, [...log, line] as Line[]).map(({ from, to }) => `${from} > ${to}`)

test('a recruited card leaves its spot in the row, first dealt or filled in later', () => {
  const row = { kind: 'row', level: 2, cards: ['hela', 'shuri', 'thor', 'wasp'] }
  const recruited = { kind: 'recruited', seat: 1, card: 'thor', bonus: 'blue' }
  expect(ways(recruited, [row])).toEqual(['row-2-2 > tokens-1-blue'])
  const filled = { kind: 'refilled', level: 1, place: 3, card: 'thor' }
  expect(ways(recruited, [row, filled])).toEqual(['row-1-3 > tokens-1-blue'])
})

test('a reserved card leaves the row, and is recruited from where it was kept', () => {
  const row = { kind: 'row', level: 2, cards: ['hela', 'shuri', 'thor', 'wasp'] }
  const reserved = { kind: 'reserved', seat: 0, card: 'hela', level: 2 }
  expect(ways(reserved, [row])).toEqual(['row-2-0 > tokens-0-kept'])
  const recruited = { kind: 'recruited', seat: 0, card: 'hela', bonus: 'red' }
  expect(ways(recruited, [row, reserved])).toEqual(['tokens-0-kept > tokens-0-red'])
})

test('a blind reserve comes from its deck', () => {
  const blind = { kind: 'reserved-blind', seat: 2, card: null, level: 3 }
  expect(ways(blind)).toEqual(['deck-3 > tokens-2-kept'])
})

test('a steal lands on its colour first, and only then goes to the thief', () => {
  const line = { kind: 'turned', how: 'steal', seat: 0, target: 2, card: 'red:x', matched: true, count: 2 }
  const found = mantisMoves(line as unknown as Line)
  expect(found.map(({ to, afterPrevious }) => [to, afterPrevious ?? false])).toEqual([
    ['tank-2-red', false],
    ['tank-0-red', true],
    ['tank-0-red', false],
  ])
})
