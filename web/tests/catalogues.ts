// All texts that a page can show: ours and the games', as the server would send them.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

export const root = join(import.meta.dirname, '..', '..')
const read = (path: string) => JSON.parse(readFileSync(join(root, path), 'utf8')) as Record<string, string>
const prefixed = (prefix: string, texts: Record<string, string>) =>
  Object.fromEntries(Object.entries(texts).map(([key, text]) => [`${prefix}.${key}`, text]))
const folders: Record<string, string> = {
  'infinity-gauntlet': 'infinity_gauntlet',
  mantis: 'mantis',
  'splendor-marvel': 'splendor_marvel',
}

export const pageTexts = (language: string) => read(`web/src/texts/${language}.json`)

export function allTexts(language: string): Record<string, string> {
  return {
    ...prefixed('common', read(`src/tavolino/engine/texts/${language}.json`)),
    ...prefixed('server', read(`src/tavolino/server/texts/${language}.json`)),
    ...Object.assign(
      {},
      ...Object.entries(folders).map(([game, folder]) =>
        prefixed(game, read(`src/tavolino/games/${folder}/texts/${language}.json`)),
      ),
    ),
    ...pageTexts(language),
  }
}
