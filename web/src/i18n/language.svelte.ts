// The language of the page and its texts. The page's own texts are part of it, one file for each language, loaded when
// wanted; a drawing's texts come with the drawing; the games' texts come from the server. Switching the language
// replaces all of them at once and keeps the page as it is.

import { format, type Lookup, type Parameters } from './messages'
import { change, settings } from '../state/settings.svelte'

export type Language = 'en' | 'it' | 'pl'
export const languages: readonly { code: Language; name: string }[] = [
  { code: 'en', name: 'English' },
  { code: 'it', name: 'Italiano' },
  { code: 'pl', name: 'Polski' },
]

export type Catalogue = Record<string, string>
type Loaders = Record<Language, () => Promise<Catalogue>>

const pageTexts: Record<Language, () => Promise<{ default: Catalogue }>> = {
  en: () => import('./texts/en'),
  it: () => import('./texts/it'),
  pl: () => import('./texts/pl'),
}

/** The texts of the games' drawings that are in use, by game. */
const drawingTexts = new Map<string, Loaders>()

/** State of the server's texts: without them only the first page can be drawn. */
type ServerTexts = 'loading' | 'ready' | 'missing'

interface Loaded {
  language: Language
  /** Searched one after the other: merging thousands of texts would take longer. */
  catalogues: readonly Catalogue[]
  ready: boolean
  serverTexts: ServerTexts
}

let current = $state.raw<Loaded>({ language: 'en', catalogues: [], ready: false, serverTexts: 'loading' })

function find(key: string): string | undefined {
  for (const texts of current.catalogues) if (key in texts) return texts[key]
  return undefined
}

export function isLanguage(code: string | null | undefined): code is Language {
  return languages.some((language) => language.code === code)
}

/** The first of the browser's languages that the page has. */
export function preferredLanguage(wanted: readonly string[] = navigator.languages): Language {
  for (const tag of wanted) {
    const code = tag.slice(0, 2).toLowerCase()
    if (isLanguage(code)) return code
  }
  return 'en'
}

async function loadServerTexts(language: Language): Promise<Catalogue> {
  const answer = await fetch(`/api/texts/${language}`)
  if (!answer.ok) throw new Error(`texts: ${answer.status}`)
  return (await answer.json()) as Catalogue
}

async function loadDrawingTexts(game: string, loaders: Loaders, language: Language): Promise<Catalogue> {
  const texts = await loaders[language]()
  return Object.fromEntries(Object.entries(texts).map(([key, text]) => [`${game}.${key}`, text]))
}

/** Replaces all texts at once. */
export function setTexts(
  language: Language,
  texts: Catalogue | readonly Catalogue[],
  serverTexts: ServerTexts = 'ready',
): void {
  current = { language, catalogues: [texts].flat(), serverTexts, ready: true }
  document.documentElement.lang = language
}

/** Adds the texts of a game's drawing, here and in every language that is chosen later. */
export async function addTexts(game: string, loaders: Loaders): Promise<void> {
  drawingTexts.set(game, loaders)
  const { language } = current
  const texts = await loadDrawingTexts(game, loaders, language)
  // If the language was changed meanwhile, `loadLanguage` has loaded these texts in the new one.
  if (current.language === language) current = { ...current, catalogues: [...current.catalogues, texts] }
}

async function loadLanguage(language: Language): Promise<void> {
  const fromServer = loadServerTexts(language).catch(() => null)
  const own = (await pageTexts[language]()).default
  // The first page does not wait for the server. Without a server the page can say so, in the right language.
  if (!current.ready) setTexts(language, own, 'loading')
  const server = await fromServer
  const drawings = await Promise.all(
    [...drawingTexts].map(([game, loaders]) => loadDrawingTexts(game, loaders, language)),
  )
  setTexts(language, server ? [own, server, ...drawings] : [own, ...drawings], server ? 'ready' : 'missing')
}

export async function changeLanguage(language: Language): Promise<void> {
  await loadLanguage(language)
  change('language', language)
}

export function startLanguage(): Promise<void> {
  return loadLanguage(isLanguage(settings.language) ? settings.language : preferredLanguage())
}

export const i18n = {
  get language(): Language {
    return current.language
  },
  get ready(): boolean {
    return current.ready
  },
  /** Another object after every change of the texts. */
  get version(): object {
    return current
  },
  get serverTexts(): ServerTexts {
    return current.serverTexts
  },
}

export function has(key: string): boolean {
  return find(key) !== undefined
}

/** A text as it is written, with its places for parameters; '' where there is none. */
export function message(key: string): string {
  return find(key) ?? ''
}

const common: Lookup = (key) => find(`common.${key}`)

/** The text for a key in the language of the page. */
export function t(key: string, parameters: Parameters = {}, lookup: Lookup = common): string {
  const message = find(key)
  // A key is nothing to show to a person; tests make sure that the catalogues are complete.
  return message === undefined ? '' : format(message, current.language, parameters, lookup)
}

/** "a, b and c". British English, as our texts: without a comma before the "and". */
export function formatList(words: readonly string[]): string {
  const language = current.language === 'en' ? 'en-GB' : current.language
  return new Intl.ListFormat(language, { type: 'conjunction' }).format(words)
}
