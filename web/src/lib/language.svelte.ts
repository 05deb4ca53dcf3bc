// The language of the page. Our own texts come with the page, one file for each language, loaded when it is wanted;
// the games' texts come from the server. Switching replaces both at once and leaves the page where it is.

import { format, type Lookup, type Parameters } from './message'
import { change, settings } from './settings.svelte'

export type Language = 'en' | 'it' | 'pl'
export const languages: readonly { code: Language; name: string }[] = [
  { code: 'en', name: 'English' },
  { code: 'it', name: 'Italiano' },
  { code: 'pl', name: 'Polski' },
]

type Catalogue = Record<string, string>

const pageTexts: Record<Language, () => Promise<{ default: Catalogue }>> = {
  en: () => import('../texts/en'),
  it: () => import('../texts/it'),
  pl: () => import('../texts/pl'),
}

/** Whether the server's texts are here: without them only the first page can be drawn. */
type Arrival = 'on-the-way' | 'here' | 'missing'

interface Edition {
  language: Language
  /** Looked into one after the other: to merge thousands of texts takes longer than to look twice. */
  texts: readonly Catalogue[]
  ready: boolean
  games: Arrival
}

let current = $state.raw<Edition>({ language: 'en', texts: [], ready: false, games: 'on-the-way' })

function find(key: string): string | undefined {
  for (const texts of current.texts) if (key in texts) return texts[key]
  return undefined
}

export function isLanguage(code: string | null | undefined): code is Language {
  return languages.some((language) => language.code === code)
}

/** The first of the browser's languages that we speak. */
export function preferred(wanted: readonly string[] = navigator.languages): Language {
  for (const tag of wanted) {
    const code = tag.slice(0, 2).toLowerCase()
    if (isLanguage(code)) return code
  }
  return 'en'
}

async function gameTexts(language: Language): Promise<Catalogue> {
  const answer = await fetch(`/api/texts/${language}`)
  if (!answer.ok) throw new Error(`texts: ${answer.status}`)
  return (await answer.json()) as Catalogue
}

/** Puts a catalogue in place at once; the tests and fixtures use it too. */
export function install(language: Language, texts: Catalogue | readonly Catalogue[], games: Arrival = 'here'): void {
  current = { language, texts: [texts].flat(), games, ready: true }
  document.documentElement.lang = language
}

export async function speak(language: Language): Promise<void> {
  const asked = gameTexts(language).catch(() => null)
  const ours = (await pageTexts[language]()).default
  // The first page need not wait for the server. Without it the page can say so, in the right language.
  if (!current.ready) install(language, ours, 'on-the-way')
  const games = await asked
  install(language, games ? [ours, games] : ours, games ? 'here' : 'missing')
}

export async function choose(language: Language): Promise<void> {
  await speak(language)
  change('language', language)
}

export function start(): Promise<void> {
  return speak(isLanguage(settings.language) ? settings.language : preferred())
}

export const spoken = {
  get language(): Language {
    return current.language
  },
  get ready(): boolean {
    return current.ready
  },
  /** The texts as they are now: another object after every change. */
  get edition(): object {
    return current
  },
  get games(): Arrival {
    return current.games
  },
}

export function has(key: string): boolean {
  return find(key) !== undefined
}

const common: Lookup = (key) => find(`common.${key}`)

/** The text for a key in the language of the page. */
export function t(key: string, parameters: Parameters = {}, lookup: Lookup = common): string {
  const message = find(key)
  // A key is nothing to show to a person; the tests of the catalogues see to it that none is missing.
  return message === undefined ? '' : format(message, current.language, parameters, lookup)
}

/** "a, b and c". British English, as our texts: without a comma before the "and". */
export function listed(words: readonly string[]): string {
  const language = current.language === 'en' ? 'en-GB' : current.language
  return new Intl.ListFormat(language, { type: 'conjunction' }).format(words)
}
