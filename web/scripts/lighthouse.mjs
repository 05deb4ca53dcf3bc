// Lighthouse on the home page and on a table in play, in Chromium: node scripts/lighthouse.mjs ADDRESS [RUNS]
import { execFileSync, spawn } from 'node:child_process'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import lighthouse from 'lighthouse'

const base = process.argv[2] ?? 'http://127.0.0.1:8000'
const runs = Number(process.argv[3] ?? 5)
const port = 9300 + (process.pid % 500)
const categories = ['performance', 'accessibility', 'best-practices']
const profile = mkdtempSync(join(tmpdir(), 'lighthouse-'))
const chromiumPath = execFileSync(join(import.meta.dirname, '../../scripts/chromium-path'), { encoding: 'utf8' }).trim()
const chromium = spawn(
  chromiumPath,
  [
    '--headless',
    '--no-sandbox',
    '--disable-gpu',
    '--disable-quic',
    '--no-first-run',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
    `--user-data-dir=${profile}`,
    `--remote-debugging-port=${port}`,
    'about:blank',
  ],
  { stdio: 'ignore' },
)

async function answers(address) {
  for (let attempt = 0; attempt < 100; attempt += 1) {
    try {
      return await (await fetch(address)).json()
    } catch {
      await new Promise((done) => setTimeout(done, 200))
    }
  }
  throw new Error(`${address} does not answer`)
}

/** A table with bots, opened as a program: the page then watches it. */
async function openTable() {
  const send = (path, body, token) =>
    fetch(base + path, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', ...(token ? { Authorization: `Bearer ${token}` } : {}) },
      body: JSON.stringify(body),
    }).then((answer) => answer.json())
  const { token } = await send('/api/me', { name: 'Lighthouse', program: true })
  const [{ game }] = await (await fetch(`${base}/api/games`)).json()
  const { id } = await send('/api/play-now', { game, level: 'random' }, token)
  // The deal waits a while for the salt of every browser, and this is none.
  for (let attempt = 0; attempt < 300; attempt += 1) {
    const table = await (await fetch(`${base}/api/tables/${id}`)).json()
    if (table.phase === 'playing') break
    await new Promise((done) => setTimeout(done, 200))
  }
  return id
}

/** Medians of several runs: a single one is at the mercy of whatever else the machine does. */
const median = (numbers) => [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)]

try {
  await answers(`http://127.0.0.1:${port}/json/version`)
  for (const path of ['/', `/table/${await openTable()}`]) {
    for (const preset of ['mobile', 'desktop']) {
      const config =
        preset === 'desktop' ? (await import('lighthouse/core/config/desktop-config.js')).default : undefined
      const onlyCategories = path === '/' ? [...categories, 'seo'] : categories
      const results = []
      for (let run = 0; run < runs; run += 1)
        results.push((await lighthouse(base + path, { port, onlyCategories, logLevel: 'error' }, config)).lhr)
      const scores = onlyCategories.map((name) => {
        const all = results.map((lhr) => Math.round(100 * lhr.categories[name].score))
        return `${name} ${median(all)} (${all.join(' ')})`
      })
      console.log(`${path === '/' ? 'home' : 'table'} (${preset}): ${scores.join(', ')}`)
      const { audits } = results.at(-1)
      const metrics = [
        'first-contentful-paint',
        'largest-contentful-paint',
        'total-blocking-time',
        'cumulative-layout-shift',
        'speed-index',
      ]
      console.log(`  the last run: ${metrics.map((name) => `${name} ${audits[name].displayValue}`).join(', ')}`)
      for (const audit of Object.values(audits)) {
        if (audit.score !== null && audit.score < 0.9 && audit.scoreDisplayMode !== 'informative')
          console.log(`  ${audit.id} ${audit.score}: ${audit.title}`)
      }
    }
  }
} finally {
  chromium.kill()
}
