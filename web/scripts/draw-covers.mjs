// Prints each game's Cover.svelte into its cover.svg: as pictures the covers cost the page no script.
//   node scripts/draw-covers.mjs            draw them anew
//   node scripts/draw-covers.mjs --check    exit with 1 if a cover.svg is out of date
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'vite'

// The printed colours of tokens.css: paper and ink are the same by day and by night.
const inks = { '--paper': '#fff8ea', '--print': '#1f2536' }
const folder = new URL('../src/games/', import.meta.url)
const games = readdirSync(folder).filter((game) => existsSync(new URL(`${game}/Cover.svelte`, folder)))

const vite = await createServer({
  root: new URL('..', import.meta.url).pathname,
  server: { middlewareMode: true },
  appType: 'custom',
  logLevel: 'error',
})
try {
  const { render } = await vite.ssrLoadModule('svelte/server')
  const stale = []
  for (const game of games) {
    const { default: Cover } = await vite.ssrLoadModule(`/src/games/${game}/Cover.svelte`)
    const picture =
      render(Cover)
        .body.replace(/<!--.*?-->/g, '')
        .replace(/var\((--\w+)\)/g, (whole, name) => inks[name] ?? whole)
        .replace('<svg ', '<svg xmlns="http://www.w3.org/2000/svg" width="320" height="240" ')
        .replace(/ (?:class|aria-hidden|focusable)="[^"]*"/g, '') + '\n'
    const file = new URL(`${game}/cover.svg`, folder)
    if (!process.argv.includes('--check')) writeFileSync(file, picture)
    else if (!existsSync(file) || readFileSync(file, 'utf8') !== picture) stale.push(game)
  }
  if (stale.length) {
    console.error(`Out of date: cover.svg of ${stale.join(', ')}. Run node scripts/draw-covers.mjs.`)
    process.exitCode = 1
  }
} finally {
  await vite.close()
}
