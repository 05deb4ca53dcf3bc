import { cleanup, render } from '@testing-library/svelte'
import { afterEach, expect, test } from 'vitest'
import SeatDisk from '../src/table/SeatDisk.svelte'
import type { SeatState } from '../src/table/scene'

afterEach(cleanup)

const someone = { name: 'Ada', level: null, online: true, standIn: false, deadline: null }
function drawn(state: Partial<SeatState>): string | undefined {
  const { container } = render(SeatDisk, { props: { seat: 0, state: { ...someone, ...state } } })
  return container.querySelector('path:last-child')?.getAttribute('d') ?? undefined
}

test('each of six bots has a face of its own, unlike the sign of a bot that stands in', () => {
  const faces = [0, 1, 2, 3, 4, 5].map((bot) => drawn({ bot, level: 'easy' }))
  expect(new Set([...faces, drawn({ standIn: true }), drawn({ avatar: 0 })]).size).toBe(8)
})

test('a person without a picture is a letter', () => expect(drawn({})).toBeUndefined())
