import { beforeEach, expect, it } from 'vitest'
import type { Game } from '../src/api/protocol'
import { choiceOf, keepChoice } from '../src/state/playNow'
import { change, settings } from '../src/state/settings.svelte'

const entry = {
  game: 'mantis',
  players: [2, 3, 4, 5, 6],
  usual_seats: 4,
  simple_options: { icons: false },
} as unknown as Game

beforeEach(() => {
  change('playNow', {})
  change('introduced', [])
})

it('begins with a simple game of few players against easy bots', () => {
  expect(choiceOf(entry)).toEqual({ seats: 3, options: { icons: false } })
  expect(settings.level).toBe('easy')
})

it('takes the choices that were left', () => {
  keepChoice('mantis', { seats: 5, options: {} })
  expect(choiceOf(entry)).toEqual({ seats: 5, options: {} })
})

it('leaves the usual table to those who have played the game, as one of its sides or not', () => {
  change('introduced', ['mantis/hero'])
  expect(choiceOf(entry)).toEqual({})
})
