import { beforeEach, describe, expect, test, vi } from 'vitest'
import { setTexts } from '../src/i18n/language.svelte'
import { Selection } from '../src/state/selection.svelte'
import { change } from '../src/state/settings.svelte'
import { TokenSelection } from '../src/games/splendor-marvel/tokenSelection.svelte'
import { allTexts } from './catalogues'

const legal = ['take yellow blue red', 'take yellow blue orange', 'take red red', 'reserve level-1']

describe('a selection', () => {
  const sent = vi.fn()
  const why = vi.fn()
  let selection: Selection

  beforeEach(() => {
    sent.mockReset()
    why.mockReset()
    change('quick', false)
    setTexts('en', allTexts('en'))
    selection = new Selection(sent, why)
    selection.setLegal(legal)
  })

  test('a hint is never sent at once, not even where one tap plays', () => {
    change('quick', true)
    selection.propose('reserve level-1')
    expect(selection.selected).toBe('reserve level-1')
    expect(sent).not.toHaveBeenCalled()
    selection.confirm()
    expect(sent).toHaveBeenCalledWith('reserve level-1')
  })

  test('a typed move that is not legal asks why', () => {
    selection.sendTyped('take green')
    expect(sent).not.toHaveBeenCalled()
    expect(why).toHaveBeenCalledWith('take green')
    selection.sendTyped('take red red')
    expect(sent).toHaveBeenCalledWith('take red red')
  })

  test('tokens say how many are missing, and can be given up', () => {
    const tokens = new TokenSelection(selection)
    tokens.toggle('yellow')
    expect(selection.selected).toBeNull()
    expect(selection.unfinished).toBe('2 more tokens')
    tokens.toggle('blue')
    expect(selection.unfinished).toBe('One more token')
    selection.cancel()
    expect([selection.unfinished, tokens.colours]).toEqual([null, []])
  })

  test('a hint to take tokens shows on the chips', () => {
    const tokens = new TokenSelection(selection)
    selection.propose('take yellow blue orange')
    expect(tokens.count('orange')).toBe(1)
    tokens.toggle('orange')
    expect(selection.unfinished).toBe('One more token')
  })
})
