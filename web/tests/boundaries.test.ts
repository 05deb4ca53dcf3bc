// A game is one folder, and so is a feature: nothing outside web/src/games names a game or a rule, and nothing outside the
// folder of a feature names it.
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { FeatureUI } from '../src/features/feature'
import { drawnGames, readTexts, root, shownFeatures } from './catalogues'

const files = ['web/src', 'web/public', 'web/scripts', 'web/index.html', 'web/vite.config.ts']
  .flatMap((path) =>
    statSync(join(root, path)).isDirectory()
      ? readdirSync(join(root, path), { recursive: true, encoding: 'utf8' }).map((name) => join(path, name))
      : [path],
  )
  .filter((path) => /\.(ts|svelte|css|json|html|mjs|svg|webmanifest)$/.test(path))
  .filter((path) => !path.startsWith('web/src/games/') && path !== 'web/src/api/protocol.ts')

const names = drawnGames.flatMap((game) => [game, game.replaceAll('-', '_'), game.replaceAll('-', ' ')])
const forbidden = [new RegExp(names.join('|'), 'i'), /\b[A-Z]{2,3}-\d+\b/]

test.each(files)('%s names no game and no rule', (path) => {
  // Names of standards are no rules of a game.
  const text = readFileSync(join(root, path), 'utf8').replace(/\b(?:RFC|FIPS|SHA|UTF)[- ]\d+/g, '')
  for (const pattern of forbidden) expect(pattern.exec(text)?.[0]).toBeUndefined()
})

test('games do not import each other', () => {
  for (const game of drawnGames) {
    const folder = join(root, 'web/src/games', game)
    const imports = readdirSync(folder)
      .filter((name) => /\.(ts|svelte)$/.test(name))
      .flatMap((name) => [...readFileSync(join(folder, name), 'utf8').matchAll(/from '([^']+)'/g)])
      .map((match) => match[1]!)
    expect(imports.filter((path) => path.startsWith('../') && !path.startsWith('../../'))).toEqual([])
  }
})

const sources = readdirSync(join(root, 'web/src'), { recursive: true, encoding: 'utf8' })
  .filter((name) => /\.(ts|svelte)$/.test(name) && name !== 'api/protocol.ts')
  .map((name) => ({ name, text: readFileSync(join(root, 'web/src', name), 'utf8') }))
const isIndex = (name: string) => /^features\/\w+\/index\.ts$/.test(name)
const features = import.meta.glob<FeatureUI>('../src/features/*/index.ts', { eager: true, import: 'default' })
const depends = new Map(
  Object.entries(features).map(([path, feature]) => [path.split('/').at(-2)!, feature.depends ?? []]),
)

test.each(shownFeatures)('no feature is named outside its folder, but where another declares it: %s', (feature) => {
  const keys = Object.keys(readTexts(`web/src/features/${feature}/texts/en.json`))
  const words = [feature, ...keys].map((word) => `'${word}'`)
  const folder = new RegExp(`(?:from |import\\()'[./]+(?:features/)?${feature}/`)
  const naming = sources
    .filter(({ name }) => !name.startsWith(`features/${feature}/`))
    // What a feature depends on it names in its index.ts; other files name its texts and import its components.
    .filter(({ name, text }) => folder.test(text) || words.some((word) => text.includes(word) && !isIndex(name)))
    .map(({ name }) => (name.startsWith('features/') ? name.split('/')[1]! : name))
  const declaring = [...depends].filter(([, names]) => names.includes(feature)).map(([name]) => name)
  expect([...new Set(naming)].sort()).toEqual(declaring.sort())
})
