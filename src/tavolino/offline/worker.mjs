// The worker of local tables: it loads the pack that it lies in, and answers the page
// (web/src/features/local_tables/tables.ts).
import { loadPyodide } from './pyodide.mjs'
import { startHelper } from './helpers.mjs'
import { openJournal } from './journal.mjs'
import { here, options, read } from './python.mjs'
import { openTables } from './tables.mjs'

const LOCK = 'tavolino.tables' // and the channel on which a tab asks for it
const LOCK_SECONDS = 3 // a tab that is closing, or the same one before a reload, still has it for a moment

/** Throws an error with the code of a sentence for the person. */
const orElse = (code) => (problem) => {
  throw Object.assign(new Error(String(problem?.message ?? problem)), { code })
}

/** Takes the lock, and keeps it until this worker ends. */
const lock = (options) =>
  new Promise((done, failed) => {
    navigator.locks.request(LOCK, options, () => new Promise(() => done())).catch((problem) => {
      giveUp() // another tab has taken it, if this one had it
      failed(problem)
    })
  })

/** Another tab goes on with the tables. What is not acknowledged yet may be lost, as in a crash. */
function giveUp() {
  if (!isOwner) return
  postMessage({ type: 'failed', code: 'taken-over', message: 'another tab has the tables now' })
  close()
}

let isOwner = false

/** One tab writes the journals. `takeOver`: the one that has them gives them up, or loses them if it is not awake. */
async function becomeOnly(takeOver) {
  if (!navigator.locks) return // not over plain HTTP: then the journal refuses the second entry of a number
  const channel = new BroadcastChannel(LOCK)
  if (takeOver) channel.postMessage('give up')
  try {
    await lock({ signal: AbortSignal.timeout(LOCK_SECONDS * 1000) })
  } catch (problem) {
    if (!takeOver) throw problem
    await lock({ steal: true })
  }
  isOwner = true
  channel.onmessage = giveUp
}

/** `isLast`: no other pack is there for games whose rules this one does not know. */
async function open({ name, isInstant, takeOver, isLast }) {
  await becomeOnly(takeOver).catch(orElse('other-tab'))
  const keeper = await openJournal().catch(orElse('no-storage'))
  const startBeside = () => startHelper(`${here}helper.mjs`)
  const { tables } = await openTables({ loadPyodide, options, read, keeper, startHelper: startBeside, name, isInstant })
  if (!isLast && (await tables.lacks_rules())) orElse('other-rules')('a game needs an older pack')
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
