// One tap where nothing can go wrong, two where a neighbour could be hit.
import { beforeEach, expect, test, vi } from 'vitest'
import { Selection } from '../src/state/selection.svelte'
import { change } from '../src/state/settings.svelte'

const sent = vi.fn()
let selection: Selection

beforeEach(() => {
  sent.mockReset()
  change('quick', false)
  selection = new Selection(sent)
})

test('the only legal action is selected from the start, and one tap on it or on the button plays it', () => {
  selection.setLegal(['bottom thanos'])
  expect(selection.selected).toBe('bottom thanos')
  expect(selection.canCancel).toBe(false)
  expect(sent).not.toHaveBeenCalled()
  selection.confirm()
  selection.setLegal(['pay'])
  selection.select('pay')
  expect(sent.mock.calls).toEqual([['bottom thanos'], ['pay']])
})

test('what is refused can be tried again: the only action stays selected', () => {
  selection.setLegal(['pass'])
  selection.confirm()
  expect(selection.selected).toBe('pass')
})

test('answers in words play at once', () => {
  selection.setLegal(['fight', 'decline'])
  expect(selection.isInWords).toBe(true)
  expect(selection.selected).toBeNull()
  selection.select('decline')
  expect(sent).toHaveBeenCalledWith('decline')
})

test('a word among cards or seats is confirmed', () => {
  selection.setLegal(['score', 'steal 1'])
  expect(selection.isInWords).toBe(false)
  selection.select('score')
  expect(sent).not.toHaveBeenCalled()
  expect(selection.canCancel).toBe(true)
})

test('a plan is always confirmed', () => {
  selection.isPlan = true
  selection.setLegal(['fight', 'decline'])
  selection.select('fight')
  expect(sent).not.toHaveBeenCalled()
  selection.cancel()
  selection.setLegal(['pass'])
  expect(selection.selected).toBeNull()
})
