// node webassembly.mjs PACK: Python programs (`bench/webassembly.py`) from the lines of standard input, run in Pyodide; what
// each prints is a line of standard output.
import fs from 'node:fs'
import path from 'node:path'
import readline from 'node:readline'
import { pathToFileURL } from 'node:url'

const pack = path.resolve(process.argv[2])
const load = (name) => import(pathToFileURL(path.join(pack, name)))
const { startPython } = await load('python.mjs')
const { loadPyodide } = await load('pyodide.mjs')
const python = await startPython({
  loadPyodide,
  options: { indexURL: `${pack}/`, stdLibURL: path.join(pack, 'python.zip') },
  read: async (name) => new Uint8Array(fs.readFileSync(path.join(pack, name))),
})
for await (const line of readline.createInterface({ input: process.stdin })) python.runPython(JSON.parse(line))
process.exit(0)
