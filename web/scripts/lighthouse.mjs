// Lighthouse on the home page and on a table in play, in Chromium: node scripts/lighthouse.mjs ADDRESS
import { execFileSync, spawn } from 'node:child_process'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import lighthouse from 'lighthouse'

const base = process.argv[2] ?? 'http://127.0.0.1:8000'
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

try {
  await answers(`http://127.0.0.1:${port}/json/version`)
  for (const path of ['/', `/table/${await openTable()}`]) {
    for (const preset of ['mobile', 'desktop']) {
      const config =
        preset === 'desktop' ? (await import('lighthouse/core/config/desktop-config.js')).default : undefined
      const { lhr } = await lighthouse(base + path, { port, onlyCategories: categories, logLevel: 'error' }, config)
      const scores = categories.map((name) => `${name} ${Math.round(100 * lhr.categories[name].score)}`)
      console.log(`${path === '/' ? 'home' : 'table'} (${preset}): ${scores.join(', ')}`)
      const metrics = [
        'first-contentful-paint',
        'largest-contentful-paint',
        'total-blocking-time',
        'cumulative-layout-shift',
        'speed-index',
      ]
      console.log(`  ${metrics.map((name) => `${name} ${lhr.audits[name].displayValue}`).join(', ')}`)
      for (const audit of Object.values(lhr.audits)) {
        if (audit.score !== null && audit.score < 0.9 && audit.scoreDisplayMode === 'binary')
          console.log(`  ${audit.id}: ${audit.title}`)
      }
    }
  }
} finally {
  chromium.kill()
}
