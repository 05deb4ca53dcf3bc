// The browser's part of the fair deal, a commitment scheme (docs/protocol.md). It stores the server's commitment and
// its own salt before the deal: comparing values that the server sends afterwards would prove nothing.

import type { Table } from '../api/protocol'
import { sha256 } from './sha256'

export interface StoredSeal {
  commitment: string
  salt: string
  seat: number
  /** The numbers of the others who play on this device. */
  others?: readonly Salt[]
  /** It was read from a file, with the game: this browser did not have it before the deal. */
  isFromFile?: boolean
}

const key = (table: string) => `tavolino.seal.${table}`

export function storedSeal(table: string): StoredSeal | null {
  try {
    return JSON.parse(localStorage.getItem(key(table)) ?? 'null') as StoredSeal | null
  } catch {
    return null
  }
}

/** What this browser kept of the deal that a game file names: its table's, or else the same commitment. A deal that several
 *  tables share has another name than its table, and nobody's salt. */
export function keptOf(deal: string, commitment: string): { commitment: string; salt: string | null } | null {
  const own = storedSeal(deal)
  if (own) return { commitment: own.commitment, salt: saltsOf(own).join(' ') }
  const tables = Array.from({ length: localStorage.length }, (_, n) => localStorage.key(n)!)
    .filter((name) => name.startsWith(key('')))
    .map((name) => name.slice(key('').length))
  const isKept = tables.some((table) => storedSeal(table)?.commitment === commitment)
  return isKept ? { commitment, salt: null } : null
}

const saltsOf = ({ salt, others = [] }: StoredSeal) => [salt, ...others.map((other) => other.salt)]

function store(table: string, seal: StoredSeal): void {
  try {
    localStorage.setItem(key(table), JSON.stringify(seal))
  } catch {
    // Without storage the check after the game says that nothing was stored.
  }
}

interface Salt {
  seat: number
  salt: string
}

/** A salt for each of these seats, whose people play on this device. */
export const newSalts = (seats: readonly number[]): Salt[] => seats.map((seat) => ({ seat, salt: randomHex(32) }))

export const storeSalts = (table: string, commitment: string, [first, ...others]: readonly Salt[]): void =>
  store(table, { commitment, ...first!, others })

const DIGITS = /^[0-9a-f]{64}$/
const isSalt = (one: unknown): one is Salt => {
  const { seat, salt } = (one ?? {}) as Record<string, unknown>
  return Number.isInteger(seat) && typeof salt === 'string' && DIGITS.test(salt)
}

/** Stores what came with a game in a file, unless there is something already. */
export function storeSealFromFile(table: string, given: unknown): void {
  const { commitment, seat, salt } = (given ?? {}) as Record<string, unknown>
  if (storedSeal(table) || typeof commitment !== 'string' || !DIGITS.test(commitment)) return
  const own = { seat, salt }
  if (isSalt(own)) store(table, { commitment, seat: own.seat, salt: own.salt, isFromFile: true })
}

function randomHex(bytes: number): string {
  return [...crypto.getRandomValues(new Uint8Array(bytes))].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}

/** Stores the commitment, then returns the salt to send; the same salt again after a reload. */
export function storeSeal(table: string, commitment: string, seat: number): StoredSeal {
  const before = storedSeal(table)
  const salt = before?.commitment === commitment ? before.salt : randomHex(32)
  const seal = { commitment: before?.commitment ?? commitment, salt, seat }
  store(table, seal)
  return seal
}

export function commitmentOf(table: string, secret: string): string {
  return sha256(`tavolino commitment 1\n${table}\n${secret}\n`)
}

export function seedOf(table: string, secret: string, salts: readonly (string | null)[]): string {
  return sha256(`tavolino seed 1\n${table}\n${secret}\n${salts.map((salt) => `${salt ?? '-'}\n`).join('')}`)
}

export type CheckName = 'kept' | 'commitment' | 'salt' | 'bots' | 'seed'
export interface Check {
  name: CheckName
  /** null: could not be checked here. */
  good: boolean | null
}

/** The checks of a finished game's deal that this browser can make. */
export function checkDeal(table: Table, seal: StoredSeal | null = storedSeal(table.id)): Check[] {
  const { deal, commitment, secret, salts, seed } = table.fairness
  const isShared = deal !== table.id
  // On a device that is passed around, the seat that is shown may be any.
  const ownSeat = seal?.others ? seal.seat : (table.you.seat ?? seal?.seat ?? 0)
  const revealed = secret !== null && salts !== null && seed !== null
  return [
    {
      name: 'kept',
      good:
        seal === null || (seal.isFromFile && seal.commitment === commitment) ? null : seal.commitment === commitment,
    },
    {
      name: 'commitment',
      good: secret === null || seal === null ? null : commitmentOf(deal, secret) === seal.commitment,
    },
    // The cards of a deal that several tables share cannot depend on anybody's salt.
    ...(isShared
      ? []
      : [
          {
            name: 'salt' as const,
            good:
              seal === null || salts === null
                ? null
                : salts[ownSeat] === seal.salt &&
                  (seal.others ?? []).every((other) => salts[other.seat] === other.salt),
          },
        ]),
    // A salt chosen after seeing the others could bias the seed: only people send one, never bots of the server.
    {
      name: 'bots',
      good:
        salts === null
          ? null
          : table.seats.every((seat) => (seat.kind === 'person' && !isShared) || salts[seat.seat] === null),
    },
    { name: 'seed', good: revealed ? seedOf(deal, secret, salts) === seed : null },
  ]
}
