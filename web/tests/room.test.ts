// What the room around a table says: a hint, and what the menu offers.
import { cleanup, fireEvent, render } from '@testing-library/svelte'
import { afterEach, expect, test, vi } from 'vitest'
import type { Seat, Table } from '../src/api/protocol'
import { setTexts } from '../src/i18n/language.svelte'
import { hintText } from '../src/features/advice/hint'
import TakeBackNotice from '../src/features/take_back/TableNotice.svelte'
import VoteNotice from '../src/features/votes/TableNotice.svelte'
import type { PlaySession } from '../src/room/playSession.svelte'
import TableMenu from '../src/room/TableMenu.svelte'
import { loadGameUI } from '../src/table/drawings'
import type { SeatState } from '../src/table/scene'
import SeatName from '../src/table/SeatName.svelte'
import { KnownActions } from '../src/i18n/actions'
import { Sentences } from '../src/i18n/sentences'
import { allTexts } from './catalogues'
import { recorded } from './recorded'

afterEach(cleanup)

const ui = await loadGameUI('mantis')
const view = recorded('mantis')[0]!.seat

function hintIn(language: string, hint: Parameters<typeof hintText>[0]): string {
  setTexts(language, allTexts(language))
  const sentences = new Sentences(
    'mantis',
    ['Ada', 'Bo', 'Cy', 'Di'],
    view.seat,
    new KnownActions(view.described),
    ui.describeAction,
  )
  return hintText(hint, sentences)
}

const other = view.seat === 1 ? 0 : 1
const name = ['Ada', 'Bo'][other]!

test.each([
  ['en', `Hint from an expert bot: Try to steal from ${name} (61% chance to win).`],
  ['it', `Suggerimento di un bot di livello esperto: Prova a derubare ${name} (61% di probabilità di vittoria).`],
  ['pl', `Podpowiedź bota na poziomie eksperckim – Spróbuj okraść: ${name} (61% szans na wygraną).`],
])('a hint names its move, its chance and its main reason (%s)', (language, words) => {
  const hint = { action: `steal ${other}`, chance: 0.612 }
  expect(hintIn(language, hint)).toBe(words)
  const reasons = [{ key: 'reason.take', params: { target: other, score: 3 }, rule: null, about: { seats: [other] } }]
  const whole = hintIn(language, { ...hint, reasons })
  expect(whole.startsWith(`${words} ${name} `)).toBe(true)
  expect(hintIn(language, { ...hint, reasons: [...reasons, ...reasons] }), 'one sentence').toBe(whole)
})

test('a hint without a chance gives none', () => {
  expect(hintIn('en', { action: 'score', chance: null })).toBe('Hint from an expert bot: Try to score.')
})

const seat = (n: number, kind: Seat['kind']) =>
  ({ seat: n, kind, name: `P${n}`, level: null, wants_end: false }) as Seat

function menuOf(kinds: readonly Seat['kind'][], canTakeBack: boolean) {
  vi.stubGlobal('isSecureContext', false) // no push notifications
  setTexts('en', allTexts('en'))
  const done: string[] = []
  const table = {
    game: 'mantis',
    phase: 'playing',
    seats: kinds.map((kind, n) => seat(n, kind)),
    watching: [],
    you: { seat: 0, muted: [], muted_watching: false },
  } as unknown as Table
  const play = {
    table,
    ui: {},
    hasOthers: kinds.filter((kind) => kind === 'person').length > 1,
    session: { turn: 4, part: () => ({ isPossible: canTakeBack }) },
    ask: (command: { type: string }) => Promise.resolve(done.push(command.type)),
    set sheet(sheet: null) {
      done.push(sheet ?? 'closed')
    },
  } as unknown as PlaySession
  const { container } = render(TableMenu, { play })
  return { container, done, button: container.querySelector<HTMLButtonElement>('[data-testid=take-back]') }
}

test('the menu takes a move back, and with other people it says when that is possible', () => {
  const { container, button, done } = menuOf(['person', 'person'], true)
  expect(button!.textContent).toBe('Take back')
  expect(container.textContent).toContain(
    'The others must agree, and nobody may have seen anything new since your move.',
  )
  button!.click()
  expect(done).toEqual(['closed', 'take-back'])
})

test('against bots nobody has to agree, and without a move to take back nothing is offered', () => {
  // On a desk it has a button of its own then.
  const { container, button } = menuOf(['person', 'bot'], true)
  expect(button).toBeNull()
  expect(container.textContent).not.toContain('must agree')
  cleanup()
  expect(menuOf(['person', 'person'], false).button).toBeNull()
})

test.each([
  ['en', 'A bot is playing for you.', 'I’m back'],
  ['it', 'Un bot sta giocando al posto tuo.', 'Rieccomi'],
  ['pl', 'Gra za ciebie bot.', 'Wracam do gry'],
])('a player whose seat a bot plays is told so, and can be back (%s)', (language, words, back) => {
  setTexts(language, allTexts(language))
  const sent: object[] = []
  const propose = (mine: Partial<Seat>) => {
    const seats = [{ ...seat(0, 'person'), ...mine }, seat(1, 'person')]
    const table = { seats, take_back: null, you: { seat: 0 } } as unknown as Table
    const ask = (command: object) => Promise.resolve(sent.push(command))
    return render(VoteNotice, { play: { table, ask } as unknown as PlaySession }).container
  }
  expect(propose({ stand_in: false }).textContent).not.toContain(words)
  expect(propose({ stand_in: true, resigned: true }).textContent).not.toContain(words)
  const told = propose({ stand_in: true }).querySelector('[data-testid=stand-in]')!
  expect(told.textContent).toContain(words)
  const button = told.querySelector('button')!
  expect(button.textContent).toBe(back)
  button.click()
  expect(sent).toEqual([{ type: 'back' }])
})

function asking(request: Table['take_back'], taken_back = 0): Table {
  const seats = [seat(0, 'person'), seat(1, 'person')]
  return { phase: 'playing', seats, you: { seat: 0 }, take_back: request, taken_back } as unknown as Table
}

test('who asked to take a move back reads that the others did not agree; not if they did, nor after withdrawing', async () => {
  setTexts('en', allTexts('en'))
  const mine = { seat: 0, agreed: [] } as unknown as Table['take_back']
  const ask = () => Promise.resolve()
  const declined = (container: Element) => container.querySelector('[data-testid=take-back-declined]')
  const play = (table: Table) => ({ play: { table, ask } as unknown as PlaySession })
  const { container, rerender } = render(TakeBackNotice, play(asking(mine)))
  expect(declined(container)).toBeNull()
  await rerender(play(asking(null)))
  expect(declined(container)!.textContent).toContain('Not everybody agreed: your move stands.')
  await fireEvent.click(declined(container)!.querySelector('button')!)
  expect(declined(container)).toBeNull()

  await rerender(play(asking(mine)))
  await rerender(play(asking(null, 1)))
  expect(declined(container), 'it was taken back').toBeNull()

  await rerender(play(asking(mine, 1)))
  await fireEvent.click(container.querySelector('[data-testid=take-back-request] button')!)
  await rerender(play(asking(null, 1)))
  expect(declined(container), 'it was withdrawn').toBeNull()
})

test.each([
  ['en', 'program'],
  ['it', 'programma'],
  ['pl', 'program'],
])('a seat says that a program plays there, with its state (%s)', (language, word) => {
  setTexts(language, allTexts(language))
  const says = (state: Partial<SeatState>) => {
    const props = {
      seat: 1,
      state: { name: 'Reader', level: null, online: true, standIn: false, deadline: null, ...state },
    }
    const { container, unmount } = render(SeatName, { props })
    const words = container.querySelector('.note')!.textContent!.trim()
    unmount()
    return words
  }
  expect(says({})).toBe('')
  expect(says({ program: true })).toBe(word)
  expect(says({ program: true, online: false })).toBe(`${word} · ${allTexts(language)['seat.offline']}`)
  expect(says({ program: true, standIn: true })).toBe(allTexts(language)['seat.stand-in'])
})
