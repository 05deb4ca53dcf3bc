// What the page asks about the person of this device, where no server has an identity for them. The tables are loaded
// only if some are here, or one is wanted.

import type { MyTables } from '../../api/protocol'
import type { Answer, Transport } from '../../api/transport'
import { isRunning, tables } from './tables'

const NAME = 'tavolino.name'
const TABLES = 'tavolino.local-tables'
const NONE: MyTables = { playing: [], finished: [], invitations: [] }

// Where nothing can be stored, it lasts as long as the page.
const memory = new Map<string, string>()

function stored(key: string): string | null {
  try {
    return localStorage.getItem(key)
  } catch {
    return memory.get(key) ?? null
  }
}

function store(key: string, value: string): void {
  try {
    localStorage.setItem(key, value)
  } catch {
    memory.set(key, value)
  }
}

function forget(key: string): void {
  memory.delete(key)
  try {
    localStorage.removeItem(key)
  } catch {
    // Then nothing is there.
  }
}

const answer = (status: number, content?: unknown): Answer => ({
  status,
  text: content === undefined ? '' : JSON.stringify(content),
})
const meCalled = (name: string) => answer(200, { name, token: null, new_name: null, program: false })

async function aboutMe(method: string, body: string | null): Promise<Answer> {
  const before = stored(NAME)
  if (method === 'GET')
    return before === null
      ? answer(401, { code: 'no-identity', key: 'server.refused.no-identity', params: {}, rule: null })
      : meCalled(before)
  if (method === 'DELETE') {
    forget(NAME)
    return answer(204)
  }
  const wanted = JSON.parse(body ?? '{}') as { name: string; only_new?: boolean }
  const name = (wanted.only_new && before) || wanted.name
  store(NAME, name)
  if (isRunning()) await tables.request(method, '/api/me', JSON.stringify({ name }))
  return meCalled(name)
}

export const transport: Transport = {
  async request(method, path, body) {
    if (path === '/api/me') return aboutMe(method, body)
    if (path === '/api/me/tables' && stored(TABLES) === null) return answer(200, NONE)
    const answered = await tables.request(method, path, body)
    if (method === 'POST' && answered.status === 201) store(TABLES, 'yes')
    return answered
  },
  openSocket: (table) => tables.openSocket(table),
}
