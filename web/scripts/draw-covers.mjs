// Prints the covers from src/art/Cover.svelte into public/covers: as pictures they cost the page no script.
//   node scripts/draw-covers.mjs            draw them anew
//   node scripts/draw-covers.mjs --check    say whether they are what Cover.svelte draws today
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'vite'

const games = ['infinity-gauntlet', 'mantis', 'splendor-marvel']
// The printed colours of tokens.css: paper and ink are the same by day and by night.
const inks = { '--paper': '#fff8ea', '--print': '#1f2536' }
const folder = new URL('../public/covers/', import.meta.url)

const vite = await createServer({
  root: new URL('..', import.meta.url).pathname,
  server: { middlewareMode: true },
  appType: 'custom',
  logLevel: 'error',
})
try {
  const { render } = await vite.ssrLoadModule('svelte/server')
  const { default: Cover } = await vite.ssrLoadModule('/src/art/Cover.svelte')
  const stale = []
  mkdirSync(folder, { recursive: true })
  for (const game of games) {
    const picture =
      render(Cover, { props: { game } })
        .body.replace(/<!--.*?-->/g, '')
        .replace(/var\((--\w+)\)/g, (whole, name) => inks[name] ?? whole)
        .replace('<svg ', '<svg xmlns="http://www.w3.org/2000/svg" width="320" height="240" ')
        .replace(/ (?:class|aria-hidden|focusable)="[^"]*"/g, '') + '\n'
    const file = new URL(`${game}.svg`, folder)
    if (!process.argv.includes('--check')) writeFileSync(file, picture)
    else if (readFileSync(file, 'utf8') !== picture) stale.push(game)
  }
  if (stale.length) {
    console.error(
      `Covers that Cover.svelte draws otherwise by now: ${stale.join(', ')}. Run node scripts/draw-covers.mjs.`,
    )
    process.exitCode = 1
  }
} finally {
  await vite.close()
}
