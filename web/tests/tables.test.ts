// The drawings on views recorded from the engine: every legal action can be reached, nothing hidden is on the page.
import { cleanup, render } from '@testing-library/svelte'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { gauntletFaces } from '../src/art/infinityGauntletFaces'
import { characterFaces } from '../src/art/splendorMarvelFaces'
import { Choices } from '../src/lib/choices.svelte'
import { install } from '../src/lib/language.svelte'
import type { Line, View } from '../src/lib/protocol'
import { Speaker } from '../src/lib/speaker'
import { Takes } from '../src/tables/takes.svelte'
import type { Scene } from '../src/tables/views'
import { allTexts } from './catalogues'
import Stage from './Stage.svelte'

type Recorded = View & { log: Line[] }
type Moment = { seat: Recorded; spectator: Recorded; notebook?: Record<string, unknown> }
const games = ['infinity-gauntlet', 'mantis', 'splendor-marvel']
const read = (game: string) =>
  JSON.parse(readFileSync(join(import.meta.dirname, 'recorded', `${game}.json`), 'utf8')) as Moment[]
const names = ['Ann', 'Bo', 'Cy', 'Di']

function draw(view: Recorded, notebook?: Record<string, unknown>) {
  const choices = new Choices(() => undefined)
  choices.offer(view.legal)
  const scene: Scene = {
    view,
    log: view.log,
    fresh: 0,
    speaker: new Speaker(view.game, names, view.seat),
    seats: names
      .slice(0, view.players)
      .map((name) => ({ name, level: null, online: true, standIn: false, deadline: null })),
  }
  const drawn = render(Stage, { scene, choices, notebook: notebook ?? null })
  return { ...drawn, choices, scene }
}

/** Actions that are put together from several taps. */
const composed = (action: string) =>
  action.startsWith('order ') || action.startsWith('take ') || action.startsWith('reserve ')

afterEach(cleanup)

test('colours picked in one turn are forgotten in the next, after a step back, and when something else is picked', () => {
  const choices = new Choices(() => undefined)
  const takes = new Takes(choices)
  const legal = ['take yellow blue red', 'take yellow blue orange', 'recruit rocket']
  const pickTwo = () => {
    for (const colour of ['yellow', 'blue']) takes.tap(colour)
    expect(takes.present).toEqual(['yellow', 'blue'])
  }
  choices.offer(legal)
  pickTwo()
  choices.offer([...legal])
  expect(takes.present).toEqual([])
  pickTwo()
  choices.drop()
  expect(takes.present).toEqual([])
  pickTwo()
  choices.pick('recruit rocket')
  expect(takes.present).toEqual([])
})

describe.each(games)('%s', (game) => {
  install('en', allTexts('en'))
  const moments = read(game)

  test.each(moments.map((moment, turn) => [turn, moment] as const))(
    'moment %i: every legal action can be reached, and has a label in words',
    (_, { seat }) => {
      const { container, choices, scene } = draw(seat)
      const onPage = new Set(
        [...container.querySelectorAll('[data-action]')].map((element) => element.getAttribute('data-action')),
      )
      for (const action of seat.legal) {
        expect(scene.speaker.action(action), action).not.toBe(action)
        if (game === 'mantis' || !composed(action)) expect(onPage, action).toContain(action)
      }
      if (game === 'splendor-marvel') {
        for (const words of choices.of('take')) {
          const takes = new Takes(choices)
          for (const colour of words) (expect(takes.can(colour), words.join()).toBe(true), takes.tap(colour))
          expect(choices.selected).toBe(`take ${words.join(' ')}`)
        }
        for (const [card] of choices.of('reserve')) {
          expect(onPage.has(`reserve ${card}`) || onPage.has(`recruit ${card}`), card).toBe(true)
        }
      }
    },
  )

  test('the question and every new line of the log are sentences', () => {
    for (const { seat, spectator } of moments) {
      for (const view of [seat, spectator]) {
        const speaker = new Speaker(game, names, view.seat)
        expect(speaker.ask(view.prompt)).toMatch(/\S+ \S+/)
        for (const line of view.log) expect(speaker.tell(line), JSON.stringify(line)).toMatch(/\S+ \S+/)
      }
    }
  })

  test('a spectator’s page names no card that the spectator’s view does not', () => {
    const ids =
      game === 'infinity-gauntlet'
        ? [...gauntletFaces.keys()]
        : game === 'splendor-marvel'
          ? [...characterFaces.keys()]
          : []
    const texts = allTexts('en')
    for (const { spectator } of moments.filter((_, i) => i % 5 === 0)) {
      const { container, unmount } = draw(spectator)
      const shown =
        container.textContent +
        [...container.querySelectorAll('[aria-label]')].map((element) => element.getAttribute('aria-label')).join(' ')
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
        expect(container.innerHTML, id).not.toContain(`"${id}"`)
      }
      unmount()
    }
  })

  test('no key and no hole shows in any language', () => {
    for (const language of ['en', 'it', 'pl'] as const) {
      install(language, allTexts(language))
      const { container, unmount } = draw(moments.at(-1)!.seat, moments.findLast((moment) => moment.notebook)?.notebook)
      const words = [
        container.textContent ?? '',
        ...[...container.querySelectorAll('[aria-label]')].map((element) => element.getAttribute('aria-label')!),
      ].join('\n')
      expect(words).not.toMatch(/\b(table|room|panel|notes|infinity-gauntlet|mantis|splendor-marvel)\.[a-z]/)
      expect(words).not.toMatch(/undefined|null|NaN|\{\w+/)
      for (const element of container.querySelectorAll('[aria-label]'))
        expect(element.getAttribute('aria-label'), element.outerHTML.slice(0, 200)).not.toBe('')
      unmount()
    }
    install('en', allTexts('en'))
  })

  test('select, then confirm; a second tap takes it back', () => {
    const sent: string[] = []
    const choices = new Choices((action) => sent.push(action))
    choices.offer(moments[0]!.seat.legal)
    const action = moments[0]!.seat.legal[0]!
    choices.pick(action)
    expect(sent).toEqual([])
    choices.pick(action)
    expect(choices.selected).toBeNull()
    choices.pick(action)
    choices.confirm()
    choices.pick('steal everything')
    choices.confirm()
    expect(sent).toEqual([action])
  })
})
