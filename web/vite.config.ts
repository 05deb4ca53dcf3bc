import { svelte } from '@sveltejs/vite-plugin-svelte'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { defineConfig, type Plugin } from 'vite'

const server = process.env.TAVOLINO_SERVER ?? 'http://127.0.0.1:8000'

/** The pictures for links, one in each game's folder, under names that the server knows. */
const previews: Plugin = {
  name: 'previews',
  generateBundle() {
    const folder = 'src/games'
    for (const game of readdirSync(folder)) {
      const file = `${folder}/${game}/preview.png`
      if (existsSync(file))
        this.emitFile({ type: 'asset', fileName: `previews/${game}.png`, source: readFileSync(file) })
    }
  },
}

/** The letters come with the first script and not after it: words that change their width would move the page. */
const lettersFirst: Plugin = {
  name: 'letters-first',
  transformIndexHtml: {
    order: 'post',
    handler(_html, { bundle }) {
      const href = Object.keys(bundle ?? {}).find((name) => /-latin-wght-normal.*\.woff2$/.test(name))
      if (!href) return []
      const attrs = { rel: 'preload', as: 'font', type: 'font/woff2', crossorigin: '', href: `/${href}` }
      return [{ tag: 'link', attrs, injectTo: 'head' }]
    },
  },
}

export default defineConfig(({ mode }) => ({
  plugins: [svelte(), previews, lettersFirst],
  // The tests run Svelte's browser build, although they run in node.
  resolve: mode === 'test' ? { conditions: ['browser'] } : {},
  build: {
    outDir: '../src/tavolino/server/page',
    emptyOutDir: true,
    // For the server: which files an address needs (src/tavolino/server/http/early.py).
    manifest: 'modules.json',
    target: 'es2022',
    // The content policy of the server allows files of its own only: nothing may be inlined as a data address.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      output: {
        // What every table needs in one chunk, not in ten small ones.
        codeSplitting: {
          includeDependenciesRecursively: false,
          groups: [
            {
              name: 'table',
              test: /src\/(table\/(?!drawings|generic|Generic)|ui\/(CardSpot|CardName|nameLines|Rays|screen|tooltip|Tooltip|Countdown)|state\/selection|i18n\/sentences|lib\/sounds)/,
            },
          ],
        },
      },
    },
  },
  server: { proxy: { '/api': { target: server, ws: true } } },
  test: { environment: 'jsdom', include: ['tests/**/*.test.ts'], setupFiles: ['tests/setup.ts'], testTimeout: 60_000 },
}))
