import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { setTexts } from '../src/i18n/language.svelte'
import { parameterNames, pluralForms } from '../src/i18n/messages'
import { Sentences } from '../src/i18n/sentences'
import { allTexts, drawnGames, pageTexts, root, servedTexts } from './catalogues'

const languages = ['en', 'it', 'pl'] as const
const needed = { en: ['one', 'other'], it: ['one', 'other'], pl: ['one', 'few', 'many', 'other'] }
const sources = readdirSync(join(root, 'web/src'), { recursive: true, encoding: 'utf8' })
  .filter((name) => /\.(svelte|ts)$/.test(name))
  .map((name) => readFileSync(join(root, 'web/src', name), 'utf8'))
  .join('\n')

/** Keys that the sources name whole, and those that they put together (`level.${x}`) as patterns. */
const literal = new Set([...sources.matchAll(/['"`]([a-z][\w-]*(?:\.[\w-]+)+)['"`]/g)].map((match) => match[1]!))
const patterns = [...sources.matchAll(/[(\s]`([a-z][\w.-]*\.\$\{[^`]+)`/g)].map(
  (match) =>
    new RegExp(`^${match[1]!.replace(/\$\{(?:[^{}]|\{[^{}]*\})*\}/g, '.+').replace(/(?<!\.)\.(?![+])/g, '\\.')}$`),
)

describe('the page’s texts', () => {
  test('the three languages have the same keys', () => {
    const [en, it, pl] = languages.map((language) => Object.keys(pageTexts(language)))
    expect(it).toEqual(en)
    expect(pl).toEqual(en)
  })

  test.each(Object.keys(pageTexts('en')))('%s: parameters agree, and no language is left in English', (key) => {
    for (const language of languages)
      expect(parameterNames(pageTexts(language)[key]!), language).toEqual(parameterNames(pageTexts('en')[key]!))
  })

  test.each(languages)('%s: every plural has the forms of the language, and no text is empty', (language) => {
    for (const [key, text] of Object.entries(pageTexts(language))) {
      expect(text.trim(), key).not.toBe('')
      for (const forms of pluralForms(text)) expect(forms, key).toEqual(expect.arrayContaining(needed[language]))
    }
  })

  test('a drawing has no text under a key of its game’s catalogue', () => {
    const served = Object.keys(servedTexts('en'))
    expect(served.filter((key) => key in pageTexts('en'))).toEqual([])
  })

  test('no key is unused', () => {
    // Sentences look for `short.steal` in the texts of their game.
    const forms = (key: string) => [key, ...drawnGames.map((game) => key.replace(`${game}.`, ''))]
    const isUsed = (key: string) => literal.has(key) || patterns.some((pattern) => pattern.test(key))
    const unused = Object.keys(pageTexts('en')).filter(
      (key) => !forms(key).some(isUsed) && key !== 'yes' && key !== 'no',
    )
    expect(unused).toEqual([])
  })

  test.each(languages)('%s: no key that the page names is missing', (language) => {
    const texts = allTexts(language)
    const named = [
      ...sources.matchAll(/\bt\((?:[^)'"`]*\? )?['"]([a-z][\w.-]*)['"](?: : ['"]([a-z][\w.-]*)['"])?/g),
    ].flatMap((match) => [match[1]!, match[2]].filter((key) => key !== undefined))
    expect(named.length).toBeGreaterThan(150)
    expect(named.filter((key) => !(key in texts))).toEqual([])
  })

  test.each(languages)('%s: keys put together from the protocol’s words exist', (language) => {
    const texts = allTexts(language)
    const words: Record<string, string[]> = {
      level: ['random', 'easy', 'medium', 'hard'],
      theme: ['system', 'light', 'dark'],
      list: ['sealing', 'playing', 'ended', 'free'],
      'after.how': ['played', 'resigned', 'agreed', 'abandoned', 'closed'],
      fair: ['kept', 'commitment', 'salt', 'seed'],
      panel: ['log', 'notebook', 'talk'],
      reaction: ['hello', 'well-played', 'thanks', 'oops', 'wow', 'hmm', 'hurry', 'laugh'],
      'infinity-gauntlet.remark-label': [
        'stones',
        'hero-deck',
        'thanos-deck',
        'hero-life',
        'thanos-life',
        'hero-tokens',
        'thanos-tokens',
      ],
      'mantis.table.do': ['score', 'steal', 'take'],
      'infinity-gauntlet.table.role': ['hero', 'thanos'],
      'infinity-gauntlet.table.side': ['heroes', 'thanos'],
      'infinity-gauntlet.table.life': ['heroes', 'thanos'],
      'infinity-gauntlet.notes.deck': ['hero', 'thanos'],
      'infinity-gauntlet': ['name', 'tagline', 'option.hero_life.help', 'option.thanos_life'],
      mantis: ['name', 'tagline', 'option.icons', 'option.icons.help'],
      'splendor-marvel': ['name', 'tagline'],
    }
    const missing = Object.entries(words)
      .flatMap(([prefix, rest]) => rest.map((word) => `${prefix}.${word}`))
      .filter((key) => !(key in texts))
    expect(missing).toEqual([])
  })
})

describe('what you do to yourself', () => {
  test.each([
    ['en', 'yourself'],
    ['it', 'te'],
    ['pl', 'siebie'],
  ] as const)('is not done to somebody of your name (%s)', (language, word) => {
    setTexts(language, allTexts(language))
    const sentences = new Sentences('infinity-gauntlet', ['Ada', 'Bruno'], 0)
    expect(sentences.action('choose 0').split(/[ :.]+/)).toContain(word)
    expect(sentences.action('choose 0')).not.toContain('Ada')
    expect(sentences.action('choose 1')).toContain('Bruno')
  })
})
