// A game is one folder: nothing outside web/src/games names a game or a rule.
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { drawnGames, root } from './catalogues'

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
