import { expect, test } from 'vitest'
import { format, parameterNames } from '../src/i18n/messages'

const cards = '{n, plural, one {# karta} few {# karty} many {# kart} other {# karty}}'

test.each([
  [1, '1 karta'],
  [2, '2 karty'],
  [5, '5 kart'],
  [12, '12 kart'],
  [22, '22 karty'],
  [0, '0 kart'],
])('Polish plural of %i', (n, words) => {
  expect(format(cards, 'pl', { n })).toBe(words)
})

test('an exact number comes before a plural form', () => {
  expect(format('{n, plural, =0 {none} one {one} other {#}}', 'en', { n: 0 })).toBe('none')
})

test('a select inside a plural inside a select', () => {
  const message = '{ok, select, true {{n, plural, one {# card for {who}} other {# cards for {who}}}} other {no}}'
  expect(format(message, 'en', { ok: true, n: 3, who: 'Bo' })).toBe('3 cards for Bo')
  expect(format(message, 'en', { ok: false, n: 3 })).toBe('no')
})

test('words of the catalogue and lists', () => {
  const lookup = (key: string) =>
    ({ 'card.thor': 'Thor', 'card.hulk': 'Hulk', 'list.and': 'and', 'seat.1': 'Ann' })[key]
  expect(format('{seat, seat} shows {cards, card}', 'en', { seat: 1, cards: ['thor', 'hulk'] }, lookup)).toBe(
    'Ann shows Thor and Hulk',
  )
  expect(format('{cards, plural, one {# card} other {# cards}}', 'en', { cards: ['thor', 'hulk'] }, lookup)).toBe(
    '2 cards',
  )
})

test('the word between the last two can depend on the letter after it', () => {
  const lookup = (key: string) => ({ 'list.and': 'e', 'list.and.e': 'ed' })[key]
  expect(format('{names}', 'it', { names: ['Ada', 'Enrico'] }, lookup)).toBe('Ada ed Enrico')
  expect(format('{names}', 'it', { names: ['Ada', 'Bruno'] }, lookup)).toBe('Ada e Bruno')
})

test('a name that ends with a full stop ends the sentence', () => {
  expect(format('You play {card}.', 'en', { card: 'A.I.M.' })).toBe('You play A.I.M.')
  expect(format('You play {card}{n, plural, =0 {} other { #}}.', 'en', { card: 'A.I.M.', n: 0 })).toBe(
    'You play A.I.M.',
  )
  expect(format('{card} is a card.', 'en', { card: 'A.I.M.' })).toBe('A.I.M. is a card.')
})

test('an apostrophe is just an apostrophe', () => {
  expect(format("l'altro {x}", 'it', { x: "d'oro" })).toBe("l'altro d'oro")
})

test.each(['{n, plural, one {x}}', 'a } b', '{n, plural, one x}', '{'])(
  'a broken message is an error: %s',
  (message) => {
    expect(() => format(message, 'en', { n: 1 })).toThrow(SyntaxError)
  },
)

test('parameters of nested messages are found', () => {
  expect(parameterNames('{a} {b, plural, one {{c}} other {#}} {d, select, x {} other {{e, card}}}')).toEqual([
    'a',
    'b',
    'c',
    'd',
    'e',
  ])
})
