// Gives the local tables in Pyodide to whoever has them: a worker, or a test.
import { startPython } from './python.mjs'

const START = `
from tavolino.local.browser import open_tables
open_tables
`

/** As `startPython`; `keeper` keeps the journals (local/log.py). */
export async function openTables({ loadPyodide, options, read, keeper, name, isInstant = false }) {
  const python = await startPython({ loadPyodide, options, read })
  const open = python.runPython(START)
  const tables = await open(keeper, name, isInstant)
  open.destroy()
  return { python, tables }
}
