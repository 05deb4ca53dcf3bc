// What carries the protocol to a table: the network, or something that a feature brings for tables of its own. Nothing
// above this file knows the difference.

import type { Component } from 'svelte'
import { answerFile, site } from '../lib/site'

export interface Answer {
  status: number
  text: string
}

/** As much of a WebSocket as a session uses. */
export type Socket = Pick<WebSocket, 'readyState' | 'send' | 'close'> & {
  onopen: (() => void) | null
  onmessage: ((message: { data: unknown }) => void) | null
  onclose: (() => void) | null
}

export interface Transport {
  /** Rejects if there is no answer. */
  request(method: string, path: string, body: string | null): Promise<Answer>
  openSocket(table: string): Socket
}

/** Tables elsewhere than at the server. The default export of a feature's transport.ts: loaded with the first page, so it
 *  is small. */
export interface OwnTables {
  has(table: string): boolean
  /** The features that these tables have. */
  features: readonly string[]
  /** The address of the page that lists them, and the key of its title. */
  home: string
  title: string
  /** Whether they answer a request that names none of them: always on a page without a server, and where a server has it,
   *  if the server cannot be reached. */
  answers(path: string, isAlone: boolean): boolean
  load(): Promise<Transport>
  /** For a table that people pass around on one device: what hides its cards between them. */
  curtain?(table: string): (() => Promise<{ default: Component<{ table: string }> }>) | null
}

const all = Object.values(import.meta.glob<OwnTables>('../features/*/transport.ts', { eager: true, import: 'default' }))
const loaded = new Map<OwnTables, Transport>()

/** The feature's tables that this one is among; null: it is at the server. */
export const ownTables = (table: string): OwnTables | null => all.find((own) => own.has(table)) ?? null

async function load(own: OwnTables): Promise<Transport> {
  const transport = await own.load()
  loaded.set(own, transport)
  return transport
}

/** No server: nobody answers. */
const UNANSWERED: Answer = {
  status: 404,
  text: JSON.stringify({ code: 'needs-server', key: 'problem.needs-server', params: {}, rule: null }),
}

const network: Transport = {
  async request(method, path, body) {
    if (site) {
      const file = method === 'GET' ? answerFile(path) : null
      return file === null ? UNANSWERED : read(await fetch(file))
    }
    const headers: Record<string, string> = body === null ? {} : { 'Content-Type': 'application/json' }
    return read(await fetch(path, { method, headers, body }))
  },
  openSocket(table) {
    const scheme = location.protocol === 'https:' ? 'wss' : 'ws'
    const address = `${scheme}://${location.host}/api/tables/${encodeURIComponent(table)}/socket`
    return new WebSocket(address) as unknown as Socket
  },
}

const read = async (answer: Response): Promise<Answer> => ({ status: answer.status, text: await answer.text() })

const TABLE = /^\/api\/tables\/([^/?]+)/

/** Sends a request to wherever the table is that the path names; without a table, to the server. */
export async function sendRequest(method: string, path: string, body: string | null): Promise<Answer> {
  const table = TABLE.exec(path)?.[1]
  const own = table ? ownTables(decodeURIComponent(table)) : site && whoAnswers(path, true)
  if (own) return (await load(own)).request(method, path, body)
  try {
    return await network.request(method, path, body)
  } catch (problem) {
    const instead = table ? null : whoAnswers(path, false)
    if (!instead) throw problem
    return (await load(instead)).request(method, path, body)
  }
}

const whoAnswers = (path: string, isAlone: boolean) => all.find((own) => own.answers(path, isAlone)) ?? null

/** After an answered request for the same table. */
export function openSocket(table: string): Socket {
  const own = ownTables(table)
  return (own ? loaded.get(own)! : network).openSocket(table)
}
