// The worker of local tables: it loads the pack that it lies in, and answers the page
// (web/src/features/local_tables/tables.ts).
import { loadPyodide } from './pyodide.mjs'
import { openJournal } from './journal.mjs'
import { options, read } from './python.mjs'
import { openTables } from './tables.mjs'

const LOCK = 'tavolino.tables'
const LOCK_SECONDS = 3 // a tab that is closing, or the same one before a reload, still has it for a moment

/** Throws an error with the code of a sentence for the person. */
const orElse = (code) => (problem) => {
  throw Object.assign(new Error(String(problem?.message ?? problem)), { code })
}

/** One tab writes the journals; its worker keeps this until it ends. */
function becomeOnly() {
  if (!navigator.locks) return undefined // not over plain HTTP: then the journal refuses the second entry of a number
  return new Promise((done, failed) => {
    const signal = AbortSignal.timeout(LOCK_SECONDS * 1000)
    navigator.locks.request(LOCK, { signal }, () => new Promise(() => done())).catch(failed)
  })
}

async function open({ name, isInstant }) {
  await Promise.resolve(becomeOnly()).catch(orElse('other-tab'))
  const keeper = await openJournal().catch(orElse('no-storage'))
  const { tables } = await openTables({ loadPyodide, options, read, keeper, name, isInstant })
  return tables
}

let opened = null
const connecting = new Map()
/** Without a text: the table has closed the socket. */
const hear = (socket, text) =>
  postMessage(text === undefined || text === null ? { type: 'closed', socket } : { type: 'heard', socket, text })

onmessage = async ({ data }) => {
  try {
    if (data.type === 'open') {
      opened = open(data)
      await opened
      postMessage({ type: 'opened' })
      return
    }
    const tables = await opened
    if (data.type === 'request') {
      const [status, text] = JSON.parse(await tables.request(data.method, data.path, data.body ?? ''))
      postMessage({ type: 'answered', id: data.id, status, text })
    } else if (data.type === 'connect') {
      const connected = tables.connect(data.socket, data.table, hear)
      connecting.set(data.socket, connected)
      await connected
      postMessage({ type: 'connected', socket: data.socket })
    } else if (data.type === 'send') tables.receive(data.socket, data.text)
    else if (data.type === 'close') {
      await connecting.get(data.socket) // a socket may be closed before it is open
      connecting.delete(data.socket)
      tables.close(data.socket)
    }
  } catch (problem) {
    const message = String(problem?.message ?? problem)
    postMessage({ type: 'failed', id: data.id, socket: data.socket, code: problem?.code, message })
  }
}
