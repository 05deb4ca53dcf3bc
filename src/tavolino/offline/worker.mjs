// The worker of local tables: it loads the pack that it lies in, and answers the page (web/src/local/tables.ts).
import { loadPyodide } from './pyodide.mjs'
import { openJournal } from './journal.mjs'
import { openTables } from './tables.mjs'

const here = new URL('./', import.meta.url).href

async function read(name) {
  const answer = await fetch(here + name)
  if (!answer.ok) throw new Error(`${name}: ${answer.status}`)
  return answer.arrayBuffer()
}

async function open({ name, isInstant }) {
  const options = { indexURL: here, stdLibURL: `${here}python.zip`, packageCacheDir: undefined }
  const { tables } = await openTables({ loadPyodide, options, read, keeper: await openJournal(), name, isInstant })
  return tables
}

let opened = null
const hear = (socket, text) => postMessage({ type: 'heard', socket, text })

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
      await tables.connect(data.socket, data.table, hear)
      postMessage({ type: 'connected', socket: data.socket })
    } else if (data.type === 'send') tables.receive(data.socket, data.text)
    else if (data.type === 'close') tables.close(data.socket)
  } catch (problem) {
    postMessage({ type: 'failed', id: data.id, socket: data.socket, message: String(problem?.message ?? problem) })
  }
}
