// Starts Pyodide with the frozen Python, and gives the local tables in it to whoever has them: a worker, or a test.

const START = `
import os, sys
os.environ["TAVOLINO_COMPILED"] = "ahead"
sys.path.insert(0, "/app")
from tavolino.local.browser import open_tables
open_tables
`

/** `read(name)` gives the bytes of a file of the pack; `keeper` keeps the journals (local/log.py). */
export async function openTables({ loadPyodide, options, read, keeper, name, isInstant = false }) {
  const app = read('app.zip')
  const python = await loadPyodide(options)
  python.unpackArchive(await app, 'zip', { extractDir: '/app' })
  const open = python.runPython(START)
  const tables = await open(keeper, name, isInstant)
  open.destroy()
  return { python, tables }
}
