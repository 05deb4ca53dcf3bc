// The language of the page and its texts. The page's own texts are one file for each complete language, loaded on demand;
// the texts of a drawing come with the drawing, those of the games from the server. All texts of a language without a file
// come from the server; missing texts are shown in English. Switching the language replaces all texts at once, without
// reloading the page.

import { sendRequest } from '../api/transport'
import { format, type Lookup, type Parameters } from './messages'
import { change, settings } from '../state/settings.svelte'

export type Catalogue = Record<string, string>
/** By the code of the language; English is always there. */
export type Loaders = Record<string, () => Promise<Catalogue>>

const SOURCE = 'en'
const ownTexts = import.meta.glob<Catalogue>('./texts/*.ts', { import: 'default' })
const pageTexts: Loaders = Object.fromEntries(
  Object.entries(ownTexts).map(([path, load]) => [/(\w+)\.ts$/.exec(path)![1]!, load]),
)

export interface Language {
  code: string
  /** As the language calls itself. */
  name: string
  /** The share of the server's texts that is translated. */
  percent: number
}

let known = $state.raw<readonly Language[]>(Object.keys(pageTexts).map((code) => describe(code, 100)))

function describe(code: string, percent: number): Language {
  const name = new Intl.DisplayNames([code], { type: 'language' }).of(code) ?? code
  return { code, name: name.charAt(0).toLocaleUpperCase(code) + name.slice(1), percent }
}

/** Asks the server which languages there are: it may have more than the page. */
export async function loadLanguages(): Promise<void> {
  const answer = await sendRequest('GET', '/api/languages', null).catch(() => null)
  if (answer?.status !== 200) return
  const found = JSON.parse(answer.text) as { code: string; percent: number }[]
  known = found.map(({ code, percent }) => describe(code, percent))
}

/** The texts of the games' drawings that are in use, by game. */
const drawingTexts = new Map<string, Loaders>()

/** State of the server's texts: without them only the first page can be drawn. */
type ServerTexts = 'loading' | 'ready' | 'missing'

interface Loaded {
  language: string
  /** Searched one after the other: merging thousands of texts would take longer. */
  catalogues: readonly Catalogue[]
  ready: boolean
  serverTexts: ServerTexts
}

let current = $state.raw<Loaded>({ language: SOURCE, catalogues: [], ready: false, serverTexts: 'loading' })

function find(key: string): string | undefined {
  for (const texts of current.catalogues) if (key in texts) return texts[key]
  return undefined
}

/** The texts in a language; in English where it has none of its own. */
const load = (loaders: Loaders, language: string) => (loaders[language] ?? loaders[SOURCE]!)()

/** The first of the browser's languages that the page has. */
export function preferredLanguage(wanted: readonly string[] = navigator.languages): string {
  for (const tag of wanted) {
    const code = tag.slice(0, 2).toLowerCase()
    if (code in pageTexts) return code
  }
  return SOURCE
}

async function loadServerTexts(language: string): Promise<Catalogue> {
  const { status, text } = await sendRequest('GET', `/api/texts/${language}`, null)
  if (status !== 200) throw new Error(`texts: ${status}`)
  return JSON.parse(text) as Catalogue
}

async function loadDrawingTexts(game: string, loaders: Loaders, language: string): Promise<Catalogue> {
  const texts = await load(loaders, language)
  return Object.fromEntries(Object.entries(texts).map(([key, text]) => [`${game}.${key}`, text]))
}

/** Replaces all texts at once. */
export function setTexts(
  language: string,
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

async function loadLanguage(language: string): Promise<void> {
  const fromServer = loadServerTexts(language).catch(() => null)
  const own = await load(pageTexts, language)
  // The first page does not wait for the server. Without a server the page can say so, in the right language.
  if (!current.ready) setTexts(language, own, 'loading')
  const server = await fromServer
  // A language that was chosen once, and that this server no longer has.
  if (!server && !(language in pageTexts)) return loadLanguage(SOURCE)
  const drawings = await Promise.all(
    [...drawingTexts].map(([game, loaders]) => loadDrawingTexts(game, loaders, language)),
  )
  // The server's come first: those of a language that the page has no file for replace the English ones.
  setTexts(language, server ? [server, own, ...drawings] : [own, ...drawings], server ? 'ready' : 'missing')
}

export async function changeLanguage(language: string): Promise<void> {
  await loadLanguage(language)
  change('language', language)
}

export function startLanguage(): Promise<void> {
  return loadLanguage(settings.language ?? preferredLanguage())
}

export const i18n = {
  get language(): string {
    return current.language
  },
  /** All languages that can be chosen. */
  get languages(): readonly Language[] {
    return known
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

/** A text with its parameters not filled in; '' if there is none. */
export function message(key: string): string {
  return find(key) ?? ''
}

const common: Lookup = (key) => find(`common.${key}`)

/** The text for a key in the language of the page. */
export function t(key: string, parameters: Parameters = {}, lookup: Lookup = common): string {
  const message = find(key)
  // Keys are not shown to people; tests check that the catalogues are complete.
  if (message === undefined) return ''
  const text = format(message, current.language, parameters, lookup)
  return current.language === 'pl' ? keepShortWords(text) : text
}

/** Polish does not leave a word of one letter at the end of a line. */
const keepShortWords = (text: string) =>
  text.replace(/(?:^|[\s(„])(?:[aiouwz] )+(?=\S)/gi, (found) => found[0] + found.slice(1).replaceAll(' ', '\u00a0'))

/** British English, as our texts; the other languages are locales, too. */
const locale = () => (current.language === 'en' ? 'en-GB' : current.language)

/** "Tuesday 24 November". */
export function day(seconds: number): string {
  return new Intl.DateTimeFormat(locale(), { weekday: 'long', day: 'numeric', month: 'long' }).format(seconds * 1000)
}

/** "24 Nov 2026". */
export function shortDate(seconds: number): string {
  return new Intl.DateTimeFormat(locale(), { dateStyle: 'medium' }).format(seconds * 1000)
}

/** "18:00". */
export function timeOfDay(seconds: number): string {
  return new Intl.DateTimeFormat(locale(), { timeStyle: 'short' }).format(seconds * 1000)
}

/** "24 Nov 2026, 18:00". */
export function dateAndTime(seconds: number): string {
  return new Intl.DateTimeFormat(locale(), { dateStyle: 'medium', timeStyle: 'short' }).format(seconds * 1000)
}

/** A date such as "2026-11-24" in words, with its weekday and year. */
export function fullDate(date: string): string {
  return new Intl.DateTimeFormat(locale(), { dateStyle: 'full', timeZone: 'UTC' }).format(new Date(date))
}

/** "a, b and c". British English, as our texts: without a comma before the "and". */
export function formatList(words: readonly string[]): string {
  return new Intl.ListFormat(locale(), { type: 'conjunction' }).format(words)
}
