// What the stage and the table of Infinity Gauntlet tell while cards are played by others: who, what, on whom, to what effect.
import { cleanup, render } from '@testing-library/svelte'
import { afterEach, describe, expect, test } from 'vitest'
import type { Line } from '../../src/api/protocol'
import ui from '../../src/games/infinity-gauntlet'
import { during } from '../../src/games/infinity-gauntlet/follow'
import script from '../../src/games/infinity-gauntlet/stage'
import { speech } from '../../src/games/infinity-gauntlet/speech'
import type { View } from '../../src/games/infinity-gauntlet/view'
import { setTexts, t } from '../../src/i18n/language.svelte'
import { Sentences } from '../../src/i18n/sentences'
import { beatOf, type BeatContext } from '../../src/stage/script'
import type { Scene } from '../../src/table/scene'
import { allTexts } from '../catalogues'
import { draw, recorded, type Recorded } from '../recorded'

const LANGUAGES = ['en', 'it', 'pl'] as const
const NAMES = ['Ann', 'Bo', 'Cy', 'Di']
const THANOS = 0
const moments = recorded('infinity-gauntlet')
const table = (changes: object = {}) => ({ ...moments[5]!.spectator, ...changes }) as unknown as Recorded & View

afterEach(cleanup)

function beat(line: object, log: object[] = [], viewer: number | null = 1, players = 4) {
  const view = table({ players })
  const sentences = new Sentences('infinity-gauntlet', NAMES, viewer)
  const context = { view, log: [...log, line], sentences } as unknown as BeatContext
  return { ...beatOf(script, line as Line, context)!, sentence: sentences.event(line as Line) }
}

describe.each(LANGUAGES)('in %s', (language) => {
  const effects = Object.keys(allTexts(language)).filter((key) => /^infinity-gauntlet\.effect\.[^.]+$/.test(key))
  const cards = effects.map((key) => key.split('.')[2]!).filter((card) => card !== 'thanos')

  test('a card that somebody else plays is told in the third person, one’s own as it is printed', () => {
    setTexts(language, allTexts(language))
    expect(cards.length).toBe(27)
    for (const card of cards) {
      const printed = new Sentences('infinity-gauntlet', NAMES, 2).text(`effect.${card}`)
      const line = { kind: 'played', seat: 2, card }
      const theirs = beat(line).words!
      if (!/time-stone/.test(card)) expect(theirs, card).toContain('Cy')
      expect(theirs, card).not.toMatch(/(?<!\p{L})(you|your|tu|tua|ti|ci|ty|twoją)(?!\p{L})/iu)
      expect(theirs, card).not.toBe(printed)
      expect(beat(line, [], 2, 2).words, card).toBe(printed)
    }
  })

  test('one’s own card says nothing of games for two at a larger table, and is not told twice', () => {
    setTexts(language, allTexts(language))
    const played = { kind: 'played', seat: 2, card: 'gamora' }
    const words = (players: number) => beat(played, [], 2, players).words!
    expect(words(2)).toContain(words(3))
    expect(words(2).length).toBeGreaterThan(words(3).length)
    const chosen = { kind: 'chosen', seat: 2, target: 1, card: 'gamora' }
    expect(beat(chosen, [played], 2).words).toBeUndefined()
    expect(beat(chosen, [played], 1).words).toBe(beat(played, [], 1).words)
  })

  test('a power token says what it is for, and a new deck how large it is', () => {
    setTexts(language, allTexts(language))
    expect(beat({ kind: 'tokens', seat: 2, count: 1 }).words).toContain(String(table().token_bonus))
    const deck = beat({ kind: 'new-deck', cards: ['hulk', 'thor', 'falcon'] })
    expect(deck.short).toContain('3')
    expect(deck.sentence).toContain('Hulk')
    expect(deck.short).not.toContain('Hulk')
  })

  test('with two players the one hero looks', () => {
    setTexts(language, allTexts(language))
    const told = (players: number) => beat({ kind: 'played', seat: 2, card: 'gamora' }, [], 1, players).words
    expect(told(2)).toMatch(/^Cy /)
    expect(told(2)).not.toBe(told(3))
  })

  test('a fight tells who led to it with which card, and who attacks whom', () => {
    setTexts(language, allTexts(language))
    const fight = { kind: 'fight', seat: 3, target: THANOS, how: 'lost', defeated: 'hulk' }
    const rallied = [
      { kind: 'played', seat: 2, card: 'iron-man' },
      { kind: 'chosen', seat: 2, target: 3, card: 'iron-man' },
    ]
    const byHero = beat({ ...fight, starter: 3 }, rallied)
    expect(byHero.cause).toContain('Cy')
    expect(byHero.cause).toContain('Iron Man')
    const fighters = ({ piece }: { piece?: unknown }, line: object) => {
      const context = { view: table(), log: [], sentences: new Sentences('infinity-gauntlet', NAMES, 1) }
      const { container } = render(script.Piece, { props: { piece, line: line as Line, context } })
      return [...container.querySelectorAll('em')].map((name) => name.textContent)
    }
    expect(fighters(byHero, fight)).toEqual(['Di', 'Ann'])
    expect(byHero.sentence).toContain('Hulk')
    const attack = [{ kind: 'played', seat: THANOS, card: 'black-dwarf' }]
    const byThanos = beat({ ...fight, starter: THANOS }, attack)
    expect(byThanos.cause).toContain('Ann')
    cleanup()
    expect(fighters(byThanos, fight)).toEqual(['Ann', 'Di'])
  })

  test('the gauntlet counts what a snap counts, and only for who may know', () => {
    setTexts(language, allTexts(language))
    const stones = ['mind-stone', 'soul-stone', 'space-stone', 'power-stone']
    const withHand = (hand: string[] | null) =>
      table({ stones, seats: table().seats.map((seat, at) => (at === THANOS ? { ...seat, hand } : seat)) })
    const glove = (view: Recorded) => draw(ui, view).container.querySelector('.glove')!
    const own = glove(withHand(['reality-stone', 'time-stone', 'thanos']))
    expect(own.textContent).toMatch(/6\/6.*4.*2/)
    expect(own.getAttribute('aria-label')).toContain(allTexts(language)['infinity-gauntlet.card.time-stone'])
    cleanup()
    expect(glove(withHand(null)).textContent!.trim()).toBe('4/6')
  })

  test('after a shuffle nobody reads that nothing was played yet', () => {
    setTexts(language, allTexts(language))
    const nothing = t('infinity-gauntlet.table.nothing-yet')
    const shuffled = t('infinity-gauntlet.table.back-in-deck')
    const seats = table().seats.map((seat) => ({ ...seat, face_up: [] }))
    const log = [
      { kind: 'played', seat: 1, card: 'hulk' },
      { kind: 'new-deck', cards: ['hulk'] },
    ]
    const words = (seat: number) => {
      const scene = { view: table({ seats }), log, sentences: new Sentences('infinity-gauntlet', NAMES, null) }
      return speech.seat({ ...scene, seats: NAMES.map((name) => ({ name })) } as unknown as Scene<View>, seat).join()
    }
    expect(words(1)).toContain(shuffled)
    expect(words(2)).toContain(nothing)
    const { container } = draw(ui, table({ seats, log }))
    expect([...container.querySelectorAll('.nothing')].map((one) => one.textContent)).toEqual([
      nothing,
      shuffled,
      nothing,
      nothing,
    ])
  })
})

test('the snap is offered as a large button of its own, not among the small ones', () => {
  setTexts('en', allTexts('en'))
  const view = table({
    seat: THANOS,
    legal: ['play outrider', 'snap'],
    described: { snap: { verb: 'snap', params: {} } },
  })
  const { container } = draw(ui, view)
  const button = container.querySelector('[data-action=snap]')!
  expect(button.classList).toContain('snap')
  expect(button.textContent).toContain('Snap your fingers')
  expect(ui.verbsOnOwnThings!.has('snap')).toBe(true)
})

test('while a choice is told, the question it answers is gone, for who watches too', () => {
  setTexts('en', allTexts('en'))
  const view = table({ seat: 1, to_act: 2, prompt: { key: 'fight', seat: 2 } })
  const question = (telling?: Line) => draw(ui, view, undefined, undefined, telling).getByTestId('question')
  expect(question().classList).not.toContain('past')
  cleanup()
  expect(question({ kind: 'fight', seat: 2, target: THANOS, how: 'tie' }).classList).toContain('past')
})

test('a hero who can be chosen on the table, too, is marked as such among the buttons; not to fight is not', () => {
  setTexts('en', allTexts('en'))
  const view = table({
    seat: THANOS,
    to_act: THANOS,
    legal: ['choose 1', 'choose 2', 'decline'],
    described: {
      'choose 1': { verb: 'choose', params: { target: 1 } },
      'choose 2': { verb: 'choose', params: { target: 2 } },
      decline: { verb: 'decline', params: {} },
    },
  })
  const { container } = draw(ui, view)
  const buttons = [...container.querySelectorAll<HTMLElement>('.choices .button')]
  expect(buttons.map((button) => [button.dataset.action, button.classList.contains('on-table')])).toEqual([
    ['choose 1', true],
    ['choose 2', true],
    ['decline', false],
  ])
})

test('the stage counts what the table below it counts: stones with the one that is played, and lives', () => {
  setTexts('en', allTexts('en'))
  const view = table({ stones: ['mind-stone'] })
  const context = { view, log: [], sentences: new Sentences('infinity-gauntlet', NAMES, 1) } as unknown as BeatContext
  const badge = (line: object) => {
    const { piece } = beatOf(script, line as Line, context)!
    const { container } = render(script.Piece, { props: { piece, line: line as Line, context } })
    const found = container.querySelector('.badge')?.textContent
    cleanup()
    return found
  }
  expect(badge({ kind: 'played', seat: THANOS, card: 'soul-stone' })).toBe('2/6')
  expect(badge({ kind: 'played', seat: THANOS, card: 'outrider' })).toBeUndefined()
  expect(badge({ kind: 'chosen', seat: THANOS, target: 1, card: 'mind-stone' })).toBe('1/6')
  expect(badge({ kind: 'defeated', seat: 1, card: 'hulk', life: 3, side: 'heroes' })).toBe('3')
})

test('who looks at the top of the deck sees the cards there, the others three backs', () => {
  const piece = (line: object) => beat({ kind: 'top-three', seat: 2, ...line }).piece
  expect(piece({ cards: ['hulk', 'thor', 'falcon'] })).toEqual({ three: ['hulk', 'thor', 'falcon'] })
  expect(piece({})).toEqual({ three: [null, null, null] })
})

test('the lives change with the sentence that says so', () => {
  const defeat = { kind: 'defeated', seat: 1, card: 'hulk', life: 3, side: 'heroes' } as Line
  expect(during(table(), defeat).life).toEqual({ ...table().life, heroes: 3 })
  expect(during(table(), { kind: 'drawn', seat: 1 } as Line)).toEqual(table())
})
