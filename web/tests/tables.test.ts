// The drawings on views recorded from the engine: every legal action can be reached, nothing hidden is on the page.
import { cleanup } from '@testing-library/svelte'
import { tick } from 'svelte'
import { afterEach, describe, expect, test } from 'vitest'
import { cards as gauntletCards } from '../src/games/infinity-gauntlet/parts'
import { cards as characters } from '../src/games/splendor-marvel/parts'
import { TokenSelection } from '../src/games/splendor-marvel/tokenSelection.svelte'
import { setTexts } from '../src/i18n/language.svelte'
import { KnownActions } from '../src/i18n/actions'
import { Sentences } from '../src/i18n/sentences'
import { Selection } from '../src/state/selection.svelte'
import { loadGameUI } from '../src/table/drawings'
import { allTexts, drawnGames } from './catalogues'
import { draw, names, recorded, wordsOf } from './recorded'

/** Actions that are put together from several taps. */
const composed = (action: string) =>
  action.startsWith('order ') || action.startsWith('take ') || action.startsWith('reserve ')

afterEach(cleanup)

test('colours picked in one turn are forgotten in the next, after a step back, and when something else is picked', () => {
  const selection = new Selection(() => undefined)
  const tokens = new TokenSelection(selection)
  const legal = ['take yellow blue red', 'take yellow blue orange', 'recruit rocket']
  const pickTwo = () => {
    for (const colour of ['yellow', 'blue']) tokens.toggle(colour)
    expect(tokens.colours).toEqual(['yellow', 'blue'])
  }
  selection.setLegal(legal)
  pickTwo()
  selection.setLegal([...legal])
  expect(tokens.colours).toEqual([])
  pickTwo()
  selection.cancel()
  expect(tokens.colours).toEqual([])
  pickTwo()
  selection.select('recruit rocket')
  expect(tokens.colours).toEqual([])
})

test('a second tap on a choice below the question keeps it', async () => {
  setTexts('en', allTexts('en'))
  const ui = await loadGameUI('splendor-marvel')
  setTexts('en', allTexts('en'))
  const moment = recorded('splendor-marvel').find(({ seat }) => seat.legal.some((text) => text.startsWith('recruit ')))!
  const action = moment.seat.legal.find((text) => text.startsWith('recruit '))!
  const { container, selection } = draw(ui, moment.seat)
  selection.select(action)
  await tick()
  const chosen = () => container.querySelector<HTMLElement>(`.choices [data-action="${action}"]`)!
  chosen().click()
  await tick()
  expect(selection.selected).toBe(action)
  expect(chosen().getAttribute('aria-pressed')).toBe('true')
})

describe.each(drawnGames)('%s', async (game) => {
  setTexts('en', allTexts('en'))
  const ui = await loadGameUI(game)
  setTexts('en', allTexts('en'))
  const moments = recorded(game)

  test.each(moments.map((moment, turn) => [turn, moment] as const))(
    'moment %i: every legal action can be reached, and has a label in words',
    (_, { seat }) => {
      const { container, selection, scene } = draw(ui, seat)
      const onPage = new Set(
        [...container.querySelectorAll('[data-action]')].map((element) => element.getAttribute('data-action')),
      )
      for (const action of seat.legal) {
        expect(scene.sentences.action(action), action).not.toBe(action)
        if (game === 'mantis' || !composed(action)) expect(onPage, action).toContain(action)
      }
      if (game === 'splendor-marvel') {
        for (const words of selection.argumentsOf('take')) {
          selection.cancel()
          const tokens = new TokenSelection(selection)
          for (const colour of words) {
            expect(tokens.canToggle(colour), words.join()).toBe(true)
            tokens.toggle(colour)
          }
          expect(selection.selected).toBe(`take ${words.join(' ')}`)
        }
        for (const [card] of selection.argumentsOf('reserve')) {
          expect(onPage.has(`reserve ${card}`) || onPage.has(`recruit ${card}`), card).toBe(true)
        }
      }
    },
  )

  test('the question and every new line of the log are sentences', () => {
    for (const { seat, spectator } of moments) {
      for (const view of [seat, spectator]) {
        const sentences = new Sentences(game, names, view.seat, new KnownActions(view.described), ui.describeAction)
        expect(sentences.prompt(view.prompt)).toMatch(/\S+ \S+/)
        for (const line of view.log) expect(sentences.event(line), JSON.stringify(line)).toMatch(/\S+ \S+/)
      }
    }
  })

  test('a spectator’s page names no card that the spectator’s view does not', () => {
    const ids =
      game === 'infinity-gauntlet'
        ? Object.keys(gauntletCards)
        : game === 'splendor-marvel'
          ? Object.keys(characters)
          : []
    const texts = allTexts('en')
    for (const { spectator } of moments.filter((_, i) => i % 5 === 0)) {
      const { container, unmount } = draw(ui, spectator)
      const shown = wordsOf(container)
      const markup = container.innerHTML
      const seen = JSON.stringify(spectator)
      for (const id of ids) {
        const name = texts[`${game}.card.${id}`]!
        // "Thanos" is a player's role as well as a card; names within other names prove nothing.
        if (
          seen.includes(`"${id}"`) ||
          id === 'thanos' ||
          ids.some((other) => other !== id && texts[`${game}.card.${other}`]!.includes(name))
        )
          continue
        expect(shown, id).not.toContain(name)
        expect(markup, id).not.toContain(`"${id}"`)
      }
      unmount()
    }
  })

  test('no key and no hole shows in any language', () => {
    for (const language of ['en', 'it', 'pl'] as const) {
      setTexts(language, allTexts(language))
      const { container, unmount } = draw(
        ui,
        moments.at(-1)!.seat,
        moments.findLast((moment) => moment.notebook)?.notebook,
      )
      const words = wordsOf(container)
      expect(words).not.toMatch(/\b(table|room|panel|notes|infinity-gauntlet|mantis|splendor-marvel)\.[a-z]/)
      expect(words).not.toMatch(/undefined|null|NaN|\{\w+/)
      for (const element of container.querySelectorAll('[aria-label]'))
        expect(element.getAttribute('aria-label'), element.outerHTML.slice(0, 200)).not.toBe('')
      unmount()
    }
    setTexts('en', allTexts('en'))
  })

  test('select, then confirm; a second tap takes it back', () => {
    const sent: string[] = []
    const selection = new Selection((action) => sent.push(action))
    selection.setLegal(moments[0]!.seat.legal)
    const action = moments[0]!.seat.legal[0]!
    selection.select(action)
    expect(sent).toEqual([])
    selection.select(action)
    expect(selection.selected).toBeNull()
    selection.select(action)
    selection.confirm()
    selection.select('steal everything')
    selection.confirm()
    expect(sent).toEqual([action])
  })
})
