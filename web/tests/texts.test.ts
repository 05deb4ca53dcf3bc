import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { dateAndTime, fullDate, setTexts, shortDate, t } from '../src/i18n/language.svelte'
import { parameterNames, pluralForms } from '../src/i18n/messages'
import { KnownActions } from '../src/i18n/actions'
import { Sentences } from '../src/i18n/sentences'
import { allTexts, drawnGames, pageTexts, root, servedTexts } from './catalogues'

const languages = ['en', 'it', 'pl'] as const
const needed = { en: ['one', 'other'], it: ['one', 'other'], pl: ['one', 'few', 'many', 'other'] }
const sourcesIn = (folder: string, names: RegExp) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => names.test(name))
    .map((name) => readFileSync(join(root, folder, name), 'utf8'))
    .join('\n')
const sources = sourcesIn('web/src', /\.(svelte|ts)$/)

/** Keys that the sources name whole, and those that they put together (`level.${x}`) as patterns. */
const literal = new Set([...sources.matchAll(/['"`]([a-z][\w-]*(?:\.[\w-]+)+)['"`]/g)].map((match) => match[1]!))
const patterns = [...sources.matchAll(/[(\s]`([a-z][\w.-]*\.\$\{[^`]+)`/g)].map(
  (match) =>
    new RegExp(`^${match[1]!.replace(/\$\{(?:[^{}]|\{[^{}]*\})*\}/g, '.+').replace(/(?<!\.)\.(?![+])/g, '\\.')}$`),
)
/** Tables in the page refuse with keys of the page's texts, which Python puts together. */
const ofLocalTables = [...sourcesIn('src/tavolino/local', /\.py$/).matchAll(/f"([a-z]+\.[a-z]+)\.\{\w+\}"/g)].map(
  (match) => `${match[1]}.`,
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
      for (const forms of pluralForms(text)) {
        // "None" and "some" are told apart without a number: no form of the language is asked for.
        if (forms.join() === '=0,other') continue
        expect(forms, key).toEqual(expect.arrayContaining(needed[language]))
      }
    }
  })

  test('a drawing has no text under a key of its game’s catalogue', () => {
    const served = Object.keys(servedTexts('en'))
    expect(served.filter((key) => key in pageTexts('en'))).toEqual([])
  })

  test('no key is unused', () => {
    // Sentences look for `short.steal` in the texts of their game.
    const forms = (key: string) => [key, ...drawnGames.map((game) => key.replace(`${game}.`, ''))]
    const isUsed = (key: string) =>
      literal.has(key) ||
      patterns.some((pattern) => pattern.test(key)) ||
      ofLocalTables.some((prefix) => key.startsWith(prefix))
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

test('Polish keeps a word of one letter on the line of the next one', () => {
  setTexts('pl', { lead: 'W grze {name} i w domu (z botem) bez i', other: 'a' })
  expect(t('lead', { name: 'Ada' })).toBe('W\u00a0grze Ada i\u00a0w\u00a0domu (z\u00a0botem) bez i')
  setTexts('it', { lead: 'Ada e un bot' })
  expect(t('lead')).toBe('Ada e un bot')
})

describe('what you do to yourself', () => {
  test.each([
    ['en', 'Choose yourself', 'You choose yourself.', 'Ada chooses themselves.'],
    ['it', 'Scegli per te', 'Hai scelto per te.', 'Ada ha scelto per sé.'],
    ['pl', 'Wybierz siebie', 'Wybierasz siebie.', 'Ada wybiera siebie.'],
  ] as const)('is not done to somebody of your name (%s)', (language, label, own, others) => {
    setTexts(language, allTexts(language))
    const described = (target: number) => ({ verb: 'choose', params: { target } })
    const known = new KnownActions({ 'choose 0': described(0), 'choose 1': described(1) })
    const sentences = new Sentences('infinity-gauntlet', ['Ada', 'Bruno'], 0, known)
    expect(sentences.action('choose 0')).toBe(label)
    expect(sentences.action('choose 1')).toContain('Bruno')
    const chosen = { kind: 'chosen', seat: 0, target: 0, card: 'hulk' } as never
    expect(sentences.event(chosen)).toBe(own)
    expect(new Sentences('infinity-gauntlet', ['Ada', 'Bruno'], 1).event(chosen)).toBe(others)
  })
})

describe('who reads it', () => {
  const fight = { kind: 'fight', seat: 0, target: 1, starter: 0, hero_token: true, thanos_token: false, how: 'won' }
  const unseen = { hero_card: null, thanos_card: null, defeated: 'time-stone' }
  const told = (viewer: number | null, line: object) =>
    new Sentences('infinity-gauntlet', ['Ada', 'Bruno', 'Cy'], viewer).event(line as never)

  test('a sentence that was made once is made again in another language', () => {
    const sentences = new Sentences('infinity-gauntlet', ['Ada', 'Bruno', 'Cy'], null)
    const read = (['en', 'it', 'en'] as const).map((language) => {
      setTexts(language, allTexts(language))
      return sentences.event(fight as never)
    })
    expect(read[1]).not.toBe(read[0])
    expect(read[2]).toBe(read[0])
  })

  test('a fight tells the power tokens that all have seen', () => {
    setTexts('en', allTexts('en'))
    const seen = { ...fight, hero_card: 'vision', thanos_card: 'time-stone' }
    expect(told(0, seen)).toBe('You fight with Vision (+2) and defeat Time Stone.')
    expect(told(2, { ...fight, ...unseen })).toBe('Ada (+2) defeats Time Stone in a fight with Bruno.')
  })

  test.each([
    ['en', 'Ada (+2) loses Hulk in a fight with Bruno.', 'Ada (+2) defeats the Thanos card in a fight with Bruno.'],
    [
      'it',
      'Ada (+2) ha perso la carta Hulk in un combattimento con Bruno.',
      'Ada (+2) ha sconfitto la carta Thanos in un combattimento con Bruno.',
    ],
    [
      'pl',
      'Ada (+2) traci kartę „Hulk” w\u00a0walce z\u00a0Thanosem (Bruno).',
      'Ada (+2) pokonuje kartę „Thanos” w\u00a0walce z\u00a0Thanosem (Bruno).',
    ],
  ] as const)('who looks on at a fight reads which card falls, whoever attacked (%s)', (language, lost, won) => {
    setTexts(language, allTexts(language))
    expect(told(2, { ...fight, ...unseen, how: 'lost', defeated: 'hulk' })).toBe(lost)
    expect(told(2, { ...fight, ...unseen, defeated: 'thanos' })).toBe(won)
  })

  test.each([
    [
      'en',
      'Bruno’s Thor is defeated. The heroes have 7 lives left.',
      'Your Thanos card is defeated. You have 1 life left.',
    ],
    [
      'it',
      'La carta Thor di Bruno è stata sconfitta. Agli eroi restano 7 Vite.',
      'La tua carta Thanos è stata sconfitta. Ti resta 1 Vita.',
    ],
    [
      'pl',
      'Bruno traci kartę „Thor”. Bohaterom zostało 7 punktów życia.',
      'Twoja karta „Thanos” zostaje pokonana. Został ci 1 punkt życia.',
    ],
  ] as const)('a defeat says whose lives are left (%s)', (language, hero, own) => {
    setTexts(language, allTexts(language))
    expect(told(0, { kind: 'defeated', seat: 1, card: 'thor', life: 7, side: 'heroes' })).toBe(hero)
    expect(told(0, { kind: 'defeated', seat: 0, card: 'thanos', life: 1, side: 'thanos' })).toBe(own)
  })

  test.each([
    ['en', 'Bruno tries to steal from you: orange card. It matches! Bruno takes 2 cards.'],
    ['it', 'Bruno ha provato a derubarti: carta arancione. Corrisponde! Bruno ha preso 2 carte.'],
    ['pl', 'Bruno próbuje cię okraść: pomarańczowa karta. Pasuje! Bruno zabiera 2 karty.'],
  ] as const)('of the cards that a steal takes, the one just turned over was not yours (%s)', (language, sentence) => {
    setTexts(language, allTexts(language))
    const turned = { kind: 'turned', seat: 1, how: 'steal', target: 0, card: 'orange:blue+pink', icon: null }
    expect(new Sentences('mantis', ['Ada', 'Bruno'], 0).event({ ...turned, matched: true, count: 2 } as never)).toBe(
      sentence,
    )
  })

  test('with all cards open a line names the card, for a spectator it does not', () => {
    setTexts('en', allTexts('en'))
    expect(told(null, { kind: 'drawn', seat: 0, card: 'hulk' })).toBe('Ada draws Hulk.')
    expect(told(null, { kind: 'drawn', seat: 0, card: null })).toBe('Ada draws a card.')
  })

  test.each([
    ['en', 'You win! Your score pile is complete.', 'Ada wins. The score pile is complete.'],
    ['it', 'Hai vinto! Il tuo Mazzo dei Punti è completo.', 'Vince Ada. Il Mazzo dei Punti è completo.'],
    ['pl', 'Wygrywasz! Twój stos punktów jest kompletny.', 'Wygrywa Ada. Stos punktów jest kompletny.'],
  ] as const)('winners read that they win (%s)', (language, own, others) => {
    setTexts(language, allTexts(language))
    const read = (viewer: number | null) => new Sentences('mantis', ['Ada', 'Bruno'], viewer).outcome('MA-30', [0])
    expect([read(0), read(1), read(null)]).toEqual([own, others, others])
  })

  test('whom a question is about reads of their own card, and who chooses themselves is not somebody else', () => {
    setTexts('en', allTexts('en'))
    const ask = (viewer: number) =>
      new Sentences('infinity-gauntlet', ['Ada', 'Bruno', 'Cy'], viewer).prompt({
        key: 'guess-hero',
        seat: 0,
        target: 1,
      })
    expect([ask(1), ask(2)]).toEqual([
      'Ada is guessing the number of your card.',
      'Ada is guessing the number of Bruno’s card.',
    ])
    expect(told(2, { kind: 'chosen', seat: 0, target: 0, card: 'falcon' })).toBe('Ada chooses themselves.')
  })
})

test.each([
  ['en', '24 Nov 2026', /^Tuesday,? 24 November 2026$/],
  ['it', '24 nov 2026', /^martedì 24 novembre 2026$/],
  ['pl', '24 lis 2026', /^wtorek, 24 listopada 2026$/],
])('dates in the words of the language, British in English (%s)', (language, short, full) => {
  setTexts(language, {})
  const seconds = Date.UTC(2026, 10, 24, 11) / 1000 // the same date in nearly every time zone
  expect(shortDate(seconds)).toBe(short)
  expect(dateAndTime(seconds)).toMatch(new RegExp(`^${short}.*\\d:\\d\\d$`))
  expect(fullDate('2026-11-24')).toMatch(full)
})
