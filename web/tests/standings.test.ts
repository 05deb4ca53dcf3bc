import { describe, expect, test } from 'vitest'
import { ranked, type Standing } from '../src/table/standings'

const rows = (...points: (number | null)[]): Standing[] => points.map((one, seat) => ({ seat, points: one, parts: [] }))
const places = (standings: Standing[], winners: number[]) =>
  ranked(standings, winners).map(({ seat, place }) => [seat, place])

describe('standings', () => {
  test('equal points share a place, and the one after it is left out', () => {
    expect(places(rows(6, 10, 6, 4), [1])).toEqual([
      [1, 1],
      [0, 2],
      [2, 2],
      [3, 4],
    ])
  })

  test('the outcome names the winners, also where others have as many points', () => {
    expect(places(rows(16, 16, 3), [1])[0]).toEqual([1, 1])
    expect(places(rows(16, 16, 3), [1])[1]).toEqual([0, 2])
  })

  test('winners of a tie are all first', () => {
    expect(places(rows(5, 7, 7), [1, 2]).slice(0, 2)).toEqual([
      [1, 1],
      [2, 1],
    ])
  })

  test('sides without points: winners first, by seat', () => {
    expect(places(rows(null, null, null), [2]).map(([seat]) => seat)).toEqual([2, 0, 1])
  })
})
