// The generic table on the recorded views of all games: each can be played on it, in three languages, for everybody.
import { cleanup } from '@testing-library/svelte'
import axe from 'axe-core'
import { afterEach, describe, expect, test } from 'vitest'
import { setTexts } from '../src/i18n/language.svelte'
import generic from '../src/table/generic'
import { allTexts, drawnGames } from './catalogues'
import { draw, names, recorded, wordsOf } from './recorded'

const languages = ['en', 'it', 'pl'] as const

/** The texts without those of one game, as for a game whose author has written none. */
function withoutTextsOf(game: string, language: string): Record<string, string> {
  return Object.fromEntries(Object.entries(allTexts(language)).filter(([key]) => !key.startsWith(`${game}.`)))
}

afterEach(cleanup)

describe.each(drawnGames)('%s', (game) => {
  const moments = recorded(game)

  test.each(moments.map((moment, turn) => [turn, moment] as const).filter(([turn]) => turn % 3 === 0))(
    'moment %i: each legal action is one button with words, which selects or plays it',
    (_, { seat }) => {
      setTexts('en', allTexts('en'))
      const { container, selection, sent } = draw(generic, seat)
      const buttons = [...container.querySelectorAll<HTMLButtonElement>('.ask button[data-action]')]
      expect(buttons.map((button) => button.dataset.action)).toEqual(seat.legal)
      for (const button of buttons) expect(button.textContent.trim(), button.dataset.action).toMatch(/\p{L}{2,}|\d/u)
      buttons[0]!.click()
      expect([...sent, selection.selected][0]).toBe(seat.legal[0])
    },
  )

  test('it is played by selecting and confirming', async () => {
    setTexts('en', allTexts('en'))
    const { container, sent } = draw(generic, moments[0]!.seat)
    container.querySelector<HTMLButtonElement>('button[data-action]')!.click()
    await Promise.resolve()
    container.querySelector<HTMLButtonElement>('[data-testid=confirm]')!.click()
    expect(sent).toEqual([moments[0]!.seat.legal[0]])
  })

  test('every seat and every value that the view has is on the page', () => {
    setTexts('en', allTexts('en'))
    const { seat: view } = moments.at(-1)!
    const { container } = draw(generic, view)
    const words = wordsOf(container)
    for (const name of names.slice(0, view.players)) expect(words).toContain(name)
    const plates = container.querySelectorAll('.plate')
    expect(plates).toHaveLength(view.players)
    const fields = Object.keys((view.seats as object[])[0]!)
    for (const plate of plates) expect(plate.querySelectorAll(':scope > dl > div')).toHaveLength(fields.length)
  })

  test.each(languages)('%s: no hole shows, with the game’s texts and without them', (language) => {
    for (const texts of [allTexts(language), withoutTextsOf(game, language)]) {
      setTexts(language, texts)
      for (const { seat, spectator } of [moments[0]!, moments.at(-1)!]) {
        for (const view of [seat, spectator]) {
          const { container, unmount } = draw(generic, view, moments.findLast((moment) => moment.notebook)?.notebook)
          expect(wordsOf(container)).not.toMatch(/undefined|\bnull\b|NaN|\{\w+|\[object/)
          for (const button of container.querySelectorAll('button'))
            expect(button.textContent + button.ariaLabel).toMatch(/\S/)
          expect(container.querySelector('[data-testid=question]')!.textContent.trim()).toMatch(/\p{L}{2,}/u)
          for (const line of container.querySelectorAll('[data-testid=log] li'))
            expect(line.textContent).toMatch(/\p{L}{2,}/u)
          unmount()
        }
      }
    }
  })

  test('it has no violation that axe finds without a layout', async () => {
    setTexts('en', allTexts('en'))
    const { container } = draw(generic, moments.at(-1)!.seat, moments.findLast((moment) => moment.notebook)?.notebook)
    const { violations } = await axe.run(container, {
      resultTypes: ['violations'],
      rules: { 'color-contrast': { enabled: false } },
    })
    expect(violations.map(({ id, nodes }) => [id, nodes[0]?.html])).toEqual([])
  })
})

describe('a game from outside', () => {
  const bids = [1, 2].flatMap((count) => [3, 4].map((face) => ({ text: `bid ${count} ${face}`, count, face })))
  const legal = bids.map(({ text }) => text)
  const described = Object.fromEntries(
    bids.map(({ text, count, face }) => [text, { verb: 'bid', params: { count, face } }]),
  )
  const view = { ...recorded('mantis')[0]!.seat, game: 'liars-dice', legal, described }
  const labels = () =>
    [...draw(generic, view).container.querySelectorAll('.ask button[data-action]')].map((button) =>
      button.textContent.trim(),
    )

  test('its actions have the parameters that the server names', () => {
    setTexts('en', { ...allTexts('en'), 'liars-dice.action.bid': 'Bid {count} × {face}' })
    expect(labels()).toEqual(['Bid 1 × 3', 'Bid 1 × 4', 'Bid 2 × 3', 'Bid 2 × 4'])
  })

  test('without a text the words of the action are its label', () => {
    setTexts('en', allTexts('en'))
    expect(labels()).toEqual(['Bid 1 3', 'Bid 1 4', 'Bid 2 3', 'Bid 2 4'])
  })
})
