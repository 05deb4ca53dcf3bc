// node help.mjs PACK < ORDERS: what a helper of the pack answers to each line, as lines of JSON: the answer, what was told
// before it, and the milliseconds of CPU time.
import fs from 'node:fs'
import path from 'node:path'
import readline from 'node:readline'
import { pathToFileURL } from 'node:url'

const pack = path.resolve(process.argv[2])
const load = (name) => import(pathToFileURL(path.join(pack, name)))
const { openHelper } = await load('tables.mjs')
const { loadPyodide } = await load('pyodide.mjs')
const cpu = () => (process.cpuUsage().user + process.cpuUsage().system) / 1e3

const { python, work } = await openHelper({
  loadPyodide,
  options: { indexURL: `${pack}/`, stdLibURL: path.join(pack, 'python.zip') },
  read: async (name) => new Uint8Array(fs.readFileSync(path.join(pack, name))),
})
console.error(JSON.stringify({ start: cpu(), heap: python._module.HEAPU8.length }))
for await (const order of readline.createInterface({ input: process.stdin })) {
  const [began, told] = [cpu(), []]
  const answer = JSON.parse(work(order, (line) => told.push(JSON.parse(line))))
  const line = JSON.stringify({ answer, told, milliseconds: cpu() - began })
  // What is written to a pipe last may be lost at the exit, unless it is waited for.
  await new Promise((done) => process.stdout.write(`${line}\n`, done))
}
console.error(JSON.stringify({ heap: python._module.HEAPU8.length }))
process.exit(0)
