import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { RoomPosition, News, Room } from '../src/api/protocol'
import { BETWEEN, Leading } from '../src/features/rooms/leading.svelte'

const moment = (move: number, rest: Partial<RoomPosition> = {}): RoomPosition => ({
  variation: null,
  move,
  perspective: 'open',
  playing: false,
  ...rest,
})

const room = (at: RoomPosition, leader: string | null, you: string | null): Room => ({
  type: 'room',
  people: [],
  nameless: 0,
  you,
  leader,
  leader_is_here: true,
  at,
  variations: [],
  notes: [],
})

let sent: RoomPosition[]
let leading: Leading
beforeEach(() => {
  vi.useFakeTimers()
  sent = []
  leading = new Leading(({ at }) => {
    sent.push(at)
    return Promise.resolve({} as News)
  })
})
afterEach(() => vi.useRealTimers())

describe('whoever follows', () => {
  test('sees what the leader shows', () => {
    leading.hear(room(moment(3), 'a', 'b'))
    leading.hear(room(moment(4), 'a', 'b'))
    expect(leading.at).toEqual(moment(4))
  })

  test('looks around, tells nobody, and comes back', () => {
    leading.hear(room(moment(3), 'a', 'b'))
    leading.show({ move: 9 })
    leading.hear(room(moment(5), 'a', 'b'))
    expect(leading.at).toEqual(moment(9))
    expect(sent).toEqual([])
    leading.follow(room(moment(5), 'a', 'b'))
    expect(leading.at).toEqual(moment(5))
  })

  test('leads from where the last leader was', () => {
    leading.hear(room(moment(3), 'a', 'b'))
    leading.show({ move: 9 })
    leading.hear(room(moment(5), 'b', 'b'))
    expect(leading.at).toEqual(moment(5))
    leading.show({ move: 6 })
    expect(sent).toEqual([moment(6)])
  })
})

describe('whoever leads', () => {
  beforeEach(() => leading.hear(room(moment(0), 'a', 'a')))

  test('tells the first and the last of many positions at once', () => {
    for (let move = 1; move <= 9; move += 1) leading.show({ move })
    expect(sent).toEqual([moment(1)])
    vi.advanceTimersByTime(BETWEEN)
    expect(sent).toEqual([moment(1), moment(9)])
    vi.advanceTimersByTime(10 * BETWEEN)
    expect(sent).toHaveLength(2)
  })

  test('is not thrown back by news that is older', () => {
    leading.show({ move: 1 })
    leading.show({ move: 2 })
    leading.hear(room(moment(0), 'a', 'a'))
    leading.hear(room(moment(1), 'a', 'a'))
    expect(leading.at).toEqual(moment(2))
  })

  test('goes where the server has begun a variation', () => {
    leading.show({ move: 2 })
    leading.hear(room(moment(3, { variation: 'v' }), 'a', 'a'))
    expect(leading.at).toEqual(moment(3, { variation: 'v' }))
    expect(sent).toEqual([moment(2)])
  })
})
