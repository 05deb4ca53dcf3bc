// Lighthouse on the home page, a tutorial and a table in play: node scripts/lighthouse.mjs [RUNS] [ADDRESS]
//
// Medians of RUNS (5) runs each, for a phone and a desk, as one table; the exit code is 1 if a median is below 95. Without
// an ADDRESS it starts a server of its own. The table is one's own, against bots, as who plays there opens it.
import { execFileSync, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { cpus, loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import lighthouse from 'lighthouse'
import desktop from 'lighthouse/core/config/desktop-config.js'
import puppeteer from 'puppeteer-core'

const BAR = 95
const CATEGORIES = ['performance', 'accessibility', 'best-practices']
const METRICS = ['first-contentful-paint', 'largest-contentful-paint', 'total-blocking-time', 'cumulative-layout-shift']
const given = process.argv.slice(2)
const runs = Number(given.find((word) => /^\d+$/.test(word)) ?? 5)
const root = join(import.meta.dirname, '../..')
const folder = mkdtempSync(join(tmpdir(), 'lighthouse-'))

const freePort = () =>
  new Promise((found) => {
    const probe = createServer().listen(0, '127.0.0.1', () => {
      const { port } = probe.address()
      probe.close(() => found(port))
    })
  })

/** Waits for up to ten minutes: on a first start the rules are compiled. */
async function answer(address, isReady, attempts = 3000) {
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    const found = await fetch(address).then(
      (response) => response.json(),
      () => null,
    )
    if (found && isReady(found)) return found
    await new Promise((done) => setTimeout(done, 200))
  }
  throw new Error(`${address} does not answer`)
}

async function startServer() {
  const port = await freePort()
  const arguments_ = ['serve', '--port', `${port}`, '--data', join(folder, 'data'), '--log-level', 'error']
  const server = spawn(join(root, '.venv/bin/tavolino'), arguments_, { stdio: ['ignore', 'ignore', 'inherit'] })
  const address = `http://127.0.0.1:${port}`
  await answer(`${address}/healthz`, ({ games }) => Object.values(games).every(Boolean))
  return { server, address }
}

/** A table of one's own against bots, and the token of who plays there. */
async function openTable(address) {
  const send = (path, body, token) =>
    fetch(address + path, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', ...(token ? { Authorization: `Bearer ${token}` } : {}) },
      body: JSON.stringify(body),
    }).then((response) => response.json())
  const { token } = await send('/api/me', { name: 'Lighthouse', program: true })
  const [{ game }] = await answer(`${address}/api/games`, () => true)
  const { id } = await send('/api/play-now', { game, level: 'random' }, token)
  // The deal waits a while for the salt of every browser, and this is none.
  await answer(`${address}/api/tables/${id}`, ({ phase }) => phase === 'playing')
  return { game, id, token }
}

/** One run is at the mercy of whatever else the machine does. */
const median = (numbers) => [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)]

async function measure(browser, url, device, categories) {
  const results = []
  for (let run = 0; run < runs; run += 1) {
    const page = await browser.newPage()
    const flags = { onlyCategories: categories, logLevel: 'error' }
    results.push((await lighthouse(url, flags, device === 'desktop' ? desktop : undefined, page)).lhr)
    await page.close()
  }
  return results
}

const chromium = execFileSync(join(root, 'scripts/chromium-path'), { encoding: 'utf8' }).trim()
const browser = await puppeteer.launch({
  executablePath: chromium,
  userDataDir: join(folder, 'profile'),
  args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--disable-background-networking', '--disable-sync'],
})
let server = null
let isBelow = false
try {
  let address = given.find((word) => word.startsWith('http'))
  if (!address) ({ server, address } = await startServer())
  const table = await openTable(address)
  const rows = []
  const remarks = []
  const paths = { home: '/', tutorial: `/learn/${table.game}/tutorial`, table: `/table/${table.id}` }
  for (const [place, path] of Object.entries(paths)) {
    if (place === 'table')
      await browser.setCookie({ name: 'tavolino', value: table.token, domain: '127.0.0.1', path: '/', httpOnly: true })
    const url = address + path
    const categories = place === 'home' ? [...CATEGORIES, 'seo'] : CATEGORIES
    for (const device of ['mobile', 'desktop']) {
      const results = await measure(browser, url, device, categories)
      const row = { page: `${place}, ${device}` }
      for (const name of categories) {
        row[name] = median(results.map((lhr) => Math.round(100 * lhr.categories[name].score)))
        isBelow ||= row[name] < BAR
      }
      for (const name of METRICS) {
        const value = median(results.map((lhr) => lhr.audits[name].numericValue))
        row[name.replace(/(\w)\w*-?/g, '$1').toUpperCase()] = value < 1 ? value.toFixed(3) : `${Math.round(value)} ms`
      }
      rows.push(row)
      for (const { id, score, scoreDisplayMode, title } of Object.values(results.at(-1).audits))
        if (score !== null && score < 0.9 && scoreDisplayMode !== 'informative')
          remarks.push(`${row.page}, the last run: ${id} ${score}: ${title}`)
    }
  }
  console.table(rows)
  // The simulation of a slow phone multiplies what this machine needs: on a busy one the figures of performance are too low.
  console.log(`Load of this machine: ${loadavg()[0].toFixed(1)} on ${cpus().length} cores.`)
  for (const remark of remarks) console.log(remark)
} finally {
  await browser.close()
  server?.kill()
  rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 300 })
}
process.exit(isBelow ? 1 : 0)
