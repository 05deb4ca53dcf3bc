// The pack of the server: what a worker loads to run tables.

import { ApiError, request } from '../../api/http'
import type { OfflinePack } from '../../api/protocol'

const KEY = 'tavolino.offline-pack'
const USED = 'tavolino.offline-used'
const NONE: OfflinePack = { version: null, bytes: 0, games: [] }

let asked: Promise<OfflinePack> | null = null

/** If the server does not answer, the last one that it had: the browser may have kept its files. Several that ask at the
 *  same time share the answer. */
export function findPack(): Promise<OfflinePack> {
  return (asked ??= find().finally(() => (asked = null)))
}

async function find(): Promise<OfflinePack> {
  try {
    const pack = await request<OfflinePack>('GET', '/api/offline')
    keep(pack)
    return pack
  } catch (problem) {
    return problem instanceof ApiError ? NONE : kept()
  }
}

function keep(pack: OfflinePack): void {
  try {
    localStorage.setItem(KEY, JSON.stringify(pack))
  } catch {
    // Then the server is needed every time.
  }
}

function kept(): OfflinePack {
  try {
    return { ...NONE, ...(JSON.parse(localStorage.getItem(KEY) ?? '{}') as Partial<OfflinePack>) }
  } catch {
    return NONE
  }
}

/** The version of the pack whose tables were opened last; null: none, or it is not known. */
export function usedVersion(): string | null {
  try {
    return localStorage.getItem(USED)
  } catch {
    return null
  }
}

export function rememberVersion(version: string): void {
  try {
    localStorage.setItem(USED, version)
  } catch {
    // Then only the newest pack is tried.
  }
}
