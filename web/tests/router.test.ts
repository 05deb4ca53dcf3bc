import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { preferredLanguage } from '../src/i18n/language.svelte'
import { routeOf } from '../src/state/router.svelte'

test.each([
  ['/', '', '', { page: 'home' }],
  ['/open', '?game=mantis', '', { page: 'open', game: 'mantis' }],
  ['/table/ab-_9', '', '', { page: 'table', table: 'ab-_9' }],
  ['/replay/t', '?move=12&perspective=2', '', { page: 'replay', table: 't', move: 12, perspective: '2' }],
  ['/replay/t', '?move=12&eyes=2', '', { page: 'replay', table: 't', move: 12, perspective: '2' }],
  ['/watch/t', '', '', { page: 'watch', table: 't' }],
  ['/replay/t', '', '', { page: 'replay', table: 't', move: null, perspective: 'open' }],
  ['/learn/mantis/rules', '', '#MA-11', { page: 'rules', game: 'mantis' }],
  ['/learn/mantis/tutorial', '', '', { page: 'tutorial', game: 'mantis' }],
  ['/review/t', '?seat=1&move=4&quiz', '', { page: 'review', table: 't', seat: 1, move: 4, quiz: true }],
  ['/history/more', '', '', { page: 'missing' }],
  ['/history', '', '', { page: 'history' }],
  ['/daily', '', '', { page: 'daily' }],
  ['/circles', '', '', { page: 'circles' }],
  ['/offline', '', '', { page: 'offline' }],
  ['/circle/ab-_9', '', '', { page: 'circle', circle: 'ab-_9' }],
  ['/puzzles', '', '', { page: 'puzzles' }],
  ['/puzzles/mantis', '?level=easy', '', { page: 'puzzle', game: 'mantis', id: null, level: 'easy', theme: null }],
  ['/puzzles/mantis', '?theme=deny', '', { page: 'puzzle', game: 'mantis', id: null, level: null, theme: 'deny' }],
  ['/puzzles/mantis/0a1b', '', '', { page: 'puzzle', game: 'mantis', id: '0a1b', level: null, theme: null }],
  ['/mistakes/t-0003', '', '', { page: 'puzzle', game: null, id: 't-0003', level: null, theme: null }],
  ['/return', '', '#code', { page: 'return', token: 'code' }],
  ['/nonsense/here', '', '', { page: 'missing' }],
])('%s%s%s', (path, query, hash, route) => {
  const { name, properties } = routeOf(path, query, hash)
  expect({ page: name, ...properties }).toEqual(route)
})

/** The addresses that the server answers with the page: the first part, and how many parts. */
function pagesOfTheServer(): [string, number[]][] {
  const server = join(import.meta.dirname, '../../src/tavolino/server')
  const features = readdirSync(join(server, 'features'), { withFileTypes: true }).filter((each) => each.isDirectory())
  const files = ['http/static.py', ...features.map((each) => `features/${each.name}/__init__.py`)]
  const texts = files
    .map((file) => join(server, file))
    .filter(existsSync)
    .map((file) => readFileSync(file, 'utf8'))
  const pages = texts.map((text) => text.match(/^PAGES.*/m)?.[0] ?? '').join('\n')
  return [...pages.matchAll(/"(\w*)": \(([\d, ]+)\)/g)].map(([, word = '', counts = '']) => [
    word,
    (counts.match(/\d/g) ?? []).map(Number),
  ])
}

test('the server knows the pages that are routed here, and no others', () => {
  const sources = import.meta.glob<string>(['../src/pages/lazy.ts', '../src/features/*/index.ts'], {
    query: '?raw',
    import: 'default',
    eager: true,
  })
  const words = Object.values(sources).flatMap((text) => [...text.matchAll(/(?:onlyAt\(|first === )'(\w+)'/g)])
  const routed = ['', ...words.map(([, word = '']) => word)]
  const isRouted = (word: string, count: number) =>
    ['x', 'rules', 'tutorial'].some((third) => {
      const path = `/${[word, 'x', third, 'x'].slice(0, count).join('/')}`
      return routeOf(path, '', '').name !== 'missing'
    })
  const counts = (word: string) => [1, 2, 3, 4].filter((count) => isRouted(word, count))
  expect(Object.fromEntries(pagesOfTheServer())).toEqual(
    Object.fromEntries(routed.map((word) => [word, word ? counts(word) : [1]])),
  )
})

test.each([
  [['pl-PL', 'en'], 'pl'],
  [['de-CH', 'it-CH'], 'it'],
  [['fr'], 'en'],
  [[], 'en'],
])('languages %j: %s', (wanted, language) => {
  expect(preferredLanguage(wanted as string[])).toBe(language)
})
