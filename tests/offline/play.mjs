// node play.mjs PACK LEVEL GAME...: a whole game of each title at a local table of the pack, over the page's messages.
// Prints for each game its journal, every message that was heard, and what was refused, as one line of JSON.
import fs from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'

const [folder, level, ...games] = process.argv.slice(2)
const pack = path.resolve(folder)
const load = (name) => import(pathToFileURL(path.join(pack, name)))
const { openTables } = await load('tables.mjs')
const { loadPyodide } = await load('pyodide.mjs')

const journals = new Map()
const rows = new Map()
const keeper = {
  async keep(text) {
    for (const { table, entries, row } of JSON.parse(text)) {
      journals.set(table, [...(journals.get(table) ?? []), ...entries])
      rows.set(table, JSON.stringify(row))
    }
    return null
  },
  entries: async (table) => JSON.stringify(journals.get(table) ?? []),
  rows: async () => JSON.stringify([...rows.values()]),
  remove: async (table) => void (journals.delete(table), rows.delete(table)),
  keepReview: async () => undefined,
  review: async () => '',
}
const cpu = () => process.cpuUsage().user + process.cpuUsage().system
const began = cpu()
const { tables, python } = await openTables({
  loadPyodide,
  options: { indexURL: `${pack}/`, stdLibURL: path.join(pack, 'python.zip') },
  read: async (name) => new Uint8Array(fs.readFileSync(path.join(pack, name))),
  keeper,
  startHelper: () => Promise.reject(new Error('tests/offline/help.mjs has one')),
  name: 'Ada',
  isInstant: true,
})
const started = cpu()

async function ask(method, address, body) {
  const [status, text] = JSON.parse(await tables.request(method, address, body ? JSON.stringify(body) : ''))
  if (status >= 300) throw new Error(`${method} ${address}: ${status} ${text}`)
  return JSON.parse(text)
}

async function play(game, socket) {
  const table = await ask('POST', '/api/play-now', { game, level })
  const heard = []
  let decided = 0
  let last = -1
  const say = (command) => tables.receive(socket, JSON.stringify(command))
  await new Promise((over, failed) => {
    const hear = (_, text) => {
      if (text == null) return failed(new Error('the table has closed the socket'))
      const message = JSON.parse(text)
      heard.push(message)
      if (message.type !== 'play') return
      if (message.view.over) return setTimeout(over, 50)
      const { legal } = message.view
      if (!legal.length || message.turn === last) return
      last = message.turn
      decided += 1
      setTimeout(() => {
        if (decided === 2) say({ type: 'notebook', ref: 'n' })
        if (decided % 3 === 0) say({ type: 'move', action: 'nonsense', turn: last, ref: `bad${decided}` })
        say({ type: 'move', action: legal[decided % legal.length], turn: last, ref: `m${decided}` })
      }, 0)
    }
    tables.connect(socket, table.id, hear).then(() => {
      say({ type: 'hello', lines: 0 })
      say({ type: 'salt', salt: '5a'.repeat(32), ref: 's' })
    }, failed)
  })
  const record = await ask('GET', `/api/tables/${table.id}/record`)
  return { game, table: table.id, journal: journals.get(table.id), heard, record }
}

/** What is written to a pipe last may be lost at the exit, unless it is waited for. */
const print = (line) => new Promise((done) => process.stdout.write(`${line}\n`, done))
for (const [nth, game] of games.entries()) await print(JSON.stringify(await play(game, nth + 1)))
const figures = { start: (started - began) / 1e3, all: (cpu() - began) / 1e3, heap: python._module.HEAPU8.length }
console.error(JSON.stringify(figures))
process.exit(0)
