// Gives the local tables in Pyodide, or a helper of them, to whoever has them: a worker, or a test.
import { startPython } from './python.mjs'

const TABLES = `
from tavolino.local.browser import open_tables
open_tables
`
const HELPER = `
from tavolino.local.helper import work
work
`

/** As `startPython`; `keeper` keeps the journals (local/log.py), `startHelper` starts what searches and reviews beside the
 *  tables (local/helpers.py). */
export async function openTables({ loadPyodide, options, read, keeper, startHelper, name, isInstant = false }) {
  const python = await startPython({ loadPyodide, options, read })
  const open = python.runPython(TABLES)
  const tables = await open(keeper, startHelper, name, isInstant)
  open.destroy()
  return { python, tables }
}

/** As `startPython`; `work(order, hear)` gives the answer to an order. */
export async function openHelper(pack) {
  const python = await startPython(pack)
  return { python, work: python.runPython(HELPER) }
}
