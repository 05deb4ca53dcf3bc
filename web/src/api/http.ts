// The HTTP half of the protocol (docs/protocol.md). An error answer is thrown as an ApiError with the server's Problem.

import type {
  Accepted,
  Addresses,
  Device,
  Frames,
  Game,
  Me,
  MyTables,
  OpenTable,
  PlayNow,
  Problem,
  ReturnLink,
  RulesPage,
  Table,
  TableCard,
} from './protocol'
import { sendRequest, type Answer as RawAnswer } from './transport'

export class ApiError extends Error {
  constructor(
    readonly status: number,
    readonly problem: Problem,
  ) {
    super(problem.code)
  }
}

/** Throws an ApiError. */
export async function request<Answer>(method: string, path: string, body?: unknown): Promise<Answer> {
  return read<Answer>(await sendRequest(method, path, body === undefined ? null : JSON.stringify(body)))
}

/** What an answer holds. Throws an ApiError. */
export function read<Answer>({ status, text }: RawAnswer): Answer {
  if (status >= 200 && status < 300) return (status === 204 ? undefined : JSON.parse(text)) as Answer
  throw new ApiError(
    status,
    problemIn(text) ?? { code: `http-${status}`, key: 'problem.unknown', params: {}, rule: null },
  )
}

function problemIn(text: string): Problem | null {
  try {
    return JSON.parse(text) as Problem | null
  } catch {
    return null
  }
}

/** The address of something of a table. */
export const atTable = (table: string, rest = '') => `/api/tables/${encodeURIComponent(table)}${rest}`

export const api = {
  me: () => request<Me>('GET', '/api/me'),
  name: (name: string) => request<Me>('POST', '/api/me', { name }),
  /** An identity of this name, or the one that this browser has, under its own name. */
  anyIdentity: (name: string) => request<Me>('POST', '/api/me', { name, only_new: true }),
  deleteIdentity: () => request<void>('DELETE', '/api/me'),
  devices: () => request<Device[]>('GET', '/api/me/devices'),
  signOutEverywhere: () => request<void>('DELETE', '/api/me/devices'),
  signOutDevice: (id: string) => request<void>('DELETE', `/api/me/devices/${encodeURIComponent(id)}`),
  returnLink: () => request<ReturnLink>('POST', '/api/me/link'),
  signInWithCode: (code: string) => request<Me>('POST', '/api/me/return', { code }),
  myTables: () => request<MyTables>('GET', '/api/me/tables'),
  addresses: () => request<Addresses>('GET', '/api/addresses'),
  games: () => request<Game[]>('GET', '/api/games'),
  publicTables: () => request<TableCard[]>('GET', '/api/tables'),
  open: (wanted: OpenTable) => request<Table>('POST', '/api/tables', wanted),
  playNow: (wanted: PlayNow) => request<Table>('POST', '/api/play-now', wanted),
  table: (table: string) => request<Table>('GET', atTable(table)),
  command: (table: string, command: object) => request<Accepted>('POST', atTable(table, '/commands'), command),
  recordAddress: (table: string) => atTable(table, '/record'),
  frames: (table: string, perspective: string, variation: string | null = null, first = 0) =>
    request<Frames>(
      'GET',
      atTable(
        table,
        `/frames?perspective=${encodeURIComponent(perspective)}${variation ? `&variation=${encodeURIComponent(variation)}&first=${first}` : ''}`,
      ),
    ),
  rules: (game: string, language: string) =>
    request<RulesPage>('GET', `/api/rules/${encodeURIComponent(game)}/${language}`),
}
