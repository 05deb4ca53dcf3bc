// The worker of local tables: it loads the pack that it lies in, and answers the page
// (web/src/features/local_tables/tables.ts).
import { loadPyodide } from './pyodide.mjs'
import { startHelper } from './helpers.mjs'
import { openJournal } from './journal.mjs'
import { here, options, read } from './python.mjs'
import { openTables } from './tables.mjs'

const LOCK = 'tavolino.tables' // and the channel on which a tab asks for it
const OWNED_SECONDS = 3 // a tab that answers: it may be closing, or be this one before a reload
const LONGEST_SECONDS = 10 // one that does not answer: its worker may take long to end on a slow device

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
  const waiting = new AbortController()
  const giveUpWaiting = () => waiting.abort()
  let timer = setTimeout(giveUpWaiting, (takeOver ? OWNED_SECONDS : LONGEST_SECONDS) * 1000)
  channel.onmessage = ({ data }) => {
    if (data !== 'here') return
    clearTimeout(timer)
    timer = setTimeout(giveUpWaiting, OWNED_SECONDS * 1000)
  }
  channel.postMessage(takeOver ? 'give up' : 'who')
  try {
    await lock({ signal: waiting.signal })
  } catch (problem) {
    if (!takeOver) throw problem
    await lock({ steal: true })
  }
  clearTimeout(timer)
  isOwner = true
  channel.onmessage = ({ data }) => {
    if (data === 'give up') giveUp()
    else if (data === 'who') channel.postMessage('here')
  }
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
