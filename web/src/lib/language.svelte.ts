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
  en: () => import('../texts/en.json'),
  it: () => import('../texts/it.json'),
  pl: () => import('../texts/pl.json'),
}

const current = $state<{ language: Language; texts: Catalogue; ready: boolean }>({
  language: 'en',
  texts: {},
  ready: false,
})

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
export function install(language: Language, texts: Catalogue): void {
  current.language = language
  current.texts = texts
  current.ready = true
  document.documentElement.lang = language
}

export async function speak(language: Language): Promise<void> {
  const ours = pageTexts[language]()
  // Without the server the page can still say, in the right language, that the server does not answer.
  const games = await gameTexts(language).catch((): Catalogue => ({}))
  install(language, { ...games, ...(await ours).default })
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
  get hasGames(): boolean {
    return 'mantis.name' in current.texts
  },
}

export function has(key: string): boolean {
  return key in current.texts
}

const common: Lookup = (key) => current.texts[`common.${key}`]

/** The text for a key in the language of the page. */
export function t(key: string, parameters: Parameters = {}, lookup: Lookup = common): string {
  const message = current.texts[key]
  // A key is nothing to show to a person; the tests of the catalogues see to it that none is missing.
  return message === undefined ? '' : format(message, current.language, parameters, lookup)
}
