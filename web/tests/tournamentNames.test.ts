import { expect, test } from 'vitest'
import { entrantNames } from '../src/features/tournaments/api'

test('entrants of one name are told apart by their numbers', () => {
  const standings = [
    { number: 3, name: 'First-legal' },
    { number: 1, name: 'Ada' },
    { number: 2, name: 'First-legal' },
    { number: 4, name: null },
    { number: 5, name: null },
  ]
  expect([...entrantNames(standings, 'Somebody')]).toEqual([
    [3, 'First-legal (3)'],
    [1, 'Ada'],
    [2, 'First-legal (2)'],
    [4, 'Somebody (4)'],
    [5, 'Somebody (5)'],
  ])
})
