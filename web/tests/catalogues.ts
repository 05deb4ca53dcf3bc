// All texts that a page can show: its own, the drawings', and the games' as the server would send them.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

export const root = join(import.meta.dirname, '..', '..')
type Texts = Record<string, string>
const known = new Map<string, Texts>()

function read(path: string): Texts {
  let texts = known.get(path)
  if (!texts) known.set(path, (texts = JSON.parse(readFileSync(join(root, path), 'utf8')) as Texts))
  return texts
}

const prefixed = (prefix: string, texts: Texts) =>
  Object.fromEntries(Object.entries(texts).map(([key, text]) => [`${prefix}.${key}`, text]))
const folders = (path: string) =>
  readdirSync(join(root, path), { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !entry.name.startsWith('_'))
    .map((entry) => entry.name)

/** The texts in a file; none, if it is not there. */
export const readTexts = (path: string): Texts => (existsSync(join(root, path)) ? read(path) : {})

/** The games that have a drawing. */
export const drawnGames = folders('web/src/games')

const drawingTexts = (language: string) =>
  drawnGames.map((game) => prefixed(game, read(`web/src/games/${game}/texts/${language}.json`)))

/** The features that the page shows something of. */
export const shownFeatures = folders('web/src/features')

const featureTexts = (language: string) =>
  shownFeatures.map((feature) => readTexts(`web/src/features/${feature}/texts/${language}.json`))

/** The texts in web/src. */
export const pageTexts = (language: string): Texts =>
  Object.assign(
    {},
    read(`web/src/i18n/texts/${language}.json`),
    ...featureTexts(language),
    ...drawingTexts(language),
  ) as Texts

/** What the server sends. */
export function servedTexts(language: string): Texts {
  const games = folders('src/tavolino/games').map((folder) =>
    prefixed(folder.replaceAll('_', '-'), read(`src/tavolino/games/${folder}/texts/${language}.json`)),
  )
  const features = folders('src/tavolino/server/features').map((folder) =>
    prefixed('server', readTexts(`src/tavolino/server/features/${folder}/texts/${language}.json`)),
  )
  return Object.assign(
    {},
    prefixed('common', read(`src/tavolino/engine/texts/${language}.json`)),
    prefixed('server', read(`src/tavolino/server/texts/${language}.json`)),
    ...features,
    ...games,
  ) as Texts
}

export function allTexts(language: string): Texts {
  return { ...servedTexts(language), ...pageTexts(language) }
}
