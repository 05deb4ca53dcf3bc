import { svelte } from '@sveltejs/vite-plugin-svelte'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { defineConfig, type Plugin } from 'vite'
import { withLayouts } from './src/ui/layouts.ts' // with its ending: Vite will read this file without a bundler

const server = process.env.TAVOLINO_SERVER ?? 'http://127.0.0.1:8000'

/** Styles name the layouts they are for. */
const layouts: Plugin = {
  name: 'layouts',
  enforce: 'pre',
  transform: { filter: { id: /\.css(\?|$)/ }, handler: (styles) => ({ code: withLayouts(styles), map: null }) },
}

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
      const attrs = { rel: 'preload', as: 'font', type: 'font/woff2', crossorigin: '', href: `./${href}` }
      return [{ tag: 'link', attrs, injectTo: 'head' }]
    },
  },
}

/** The style sheet of the first page stands in its head: the browser need not ask for it before it draws anything. The
    server allows it by its hash (src/tavolino/server/http/static.py). The disabled link loads nothing: it tells the
    pages that are loaded later that they have this sheet. */
const stylesInHead: Plugin = {
  name: 'styles-in-head',
  transformIndexHtml: {
    order: 'post',
    handler(html, { bundle }) {
      return html.replace(/ *<link rel="stylesheet"[^>]* href="\.\/(.*?)">\n/, (link, file: string) => {
        const sheet = bundle?.[file]
        if (sheet?.type !== 'asset') return link
        const style = String(sheet.source).trim().replaceAll('url(./', 'url(./assets/')
        return `    <style>${style}</style>\n    <link rel="stylesheet" disabled href="./${file}">\n`
      })
    },
  },
}

/** Scripts and styles find their files beside themselves, wherever the page lies. index.html names whole paths, because a
    server answers with it at every address; `tavolino site` makes them relative again. */
const wholePaths: Plugin = {
  name: 'whole-paths',
  transformIndexHtml: {
    order: 'post',
    handler: (html) => html.replaceAll('"./', '"/').replaceAll('url(./', 'url(/'),
  },
}

export default defineConfig(({ mode }) => ({
  plugins: [svelte(), layouts, previews, lettersFirst, stylesInHead, wholePaths],
  base: './',
  // The tests run Svelte's browser build, although they run in node.
  resolve: mode === 'test' ? { conditions: ['browser'] } : {},
  build: {
    outDir: '../src/tavolino/server/page',
    emptyOutDir: true,
    // For the server: which files an address needs (src/tavolino/server/http/preloading.py).
    manifest: 'modules.json',
    target: 'es2022',
    // The content policy of the server allows files of its own only: nothing may be inlined as a data address.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      output: {
        // Few files, because on a slow line each costs a round trip: what every page needs, what every table needs.
        codeSplitting: {
          includeDependenciesRecursively: false,
          groups: [
            {
              name: 'base',
              test: /node_modules\/(svelte|esm-env|clsx)|preload-helper|src\/(api\/(http|transport)|features\/\w+\/transport|i18n\/(?!texts|sentences)|ui\/(signs|paths|screen|layouts)|lib\/(paint|clipboard|seats|site)|state\/settings)/,
            },
            {
              // What features add to a table.
              name: 'atTable',
              test: /src\/(features\/(atTable|sessionParts)|features\/\w+\/(session|play|panel|Table|Menu|After|TalkPanel|NotebookPanel|PlanAhead|PlanPart|PushSwitch|RatingChange|said|bubbles|reactions|QuickReactions|hint|lengths|push|turn|ratings)|lib\/signed|api\/session|room\/Banner)/,
            },
            {
              name: 'table',
              test: /src\/(table\/(?!drawings|generic|Generic)|ui\/(Avatar|avatars|CardSpot|HintMark|CardName|nameLines|Rays|tooltip|Tooltip|Countdown)|state\/selection|i18n\/sentences|lib\/(sharing|fairness|sha256)|sound\/play)/,
            },
          ],
        },
      },
    },
  },
  server: { proxy: { '/api': { target: server, ws: true } } },
  test: { environment: 'jsdom', include: ['tests/**/*.test.ts'], setupFiles: ['tests/setup.ts'], testTimeout: 60_000 },
}))
