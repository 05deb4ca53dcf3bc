import { webcrypto } from 'node:crypto'
import { beforeEach, describe, expect, test } from 'vitest'
import {
  checkDeal,
  commitmentOf,
  keptOf,
  newSalts,
  seedOf,
  storedSeal,
  storeSalts,
  storeSeal,
  storeSealFromFile,
} from '../src/lib/fairness'
import type { Table } from '../src/api/protocol'
import { sha256 } from '../src/lib/sha256'

async function standard(text: string): Promise<string> {
  const bytes = await webcrypto.subtle.digest('SHA-256', new TextEncoder().encode(text))
  return Buffer.from(bytes).toString('hex')
}

test.each(['', 'abc', 'zażółć gęślą jaźń', 'x'.repeat(55), 'x'.repeat(56), 'x'.repeat(64), 'x'.repeat(1000)])(
  'our SHA-256 is the standard one: %#',
  async (text) => {
    expect(sha256(text)).toBe(await standard(text))
  },
)

describe('the fair deal', () => {
  const secret = 'ab'.repeat(32)
  const table = (salts: (string | null)[]): Table =>
    ({
      id: 'T1',
      daily: null,
      series: null,
      seats: [
        { seat: 0, kind: 'person' },
        { seat: 1, kind: 'bot' },
      ].slice(0, salts.length),
      you: { seat: 0 },
      fairness: {
        deal: 'T1',
        commitment: commitmentOf('T1', secret),
        salts,
        secret,
        seed: seedOf('T1', secret, salts),
      },
    }) as Table
  const verdict = (checked: Table) => Object.fromEntries(checkDeal(checked).map((check) => [check.name, check.good]))
  beforeEach(() => localStorage.clear())

  test('an honest server passes every check', () => {
    const { salt } = storeSeal('T1', commitmentOf('T1', secret), 0)
    expect(verdict(table([salt, null]))).toEqual({ kept: true, commitment: true, salt: true, bots: true, seed: true })
  })

  test('a server that swaps the secret after the deal is found out, though its own story fits together', () => {
    const { salt } = storeSeal('T1', commitmentOf('T1', secret), 0)
    const other = 'cd'.repeat(32)
    const story = table([salt, null])
    story.fairness = {
      deal: 'T1',
      commitment: commitmentOf('T1', other),
      salts: [salt, null],
      secret: other,
      seed: seedOf('T1', other, [salt, null]),
    }
    expect(verdict(story)).toEqual({ kept: false, commitment: false, salt: true, bots: true, seed: true })
  })

  test('a server that leaves our salt out is found out', () => {
    storeSeal('T1', commitmentOf('T1', secret), 0)
    expect(verdict(table(['00'.repeat(32), null])).salt).toBe(false)
  })

  test('our salt at another seat is not ours', () => {
    const { salt } = storeSeal('T1', commitmentOf('T1', secret), 0)
    expect(verdict(table(['00'.repeat(32), salt])).salt).toBe(false)
  })

  test('a server that gives a bot a salt, which it could have tried out, is found out', () => {
    const { salt } = storeSeal('T1', commitmentOf('T1', secret), 0)
    expect(verdict(table([salt, '00'.repeat(32)])).bots).toBe(false)
  })

  test('a seed that does not follow is found out', () => {
    const { salt } = storeSeal('T1', commitmentOf('T1', secret), 0)
    const bent = table([salt])
    bent.fairness.seed = 'ff'.repeat(32)
    expect(verdict(bent).seed).toBe(false)
  })

  test('a shared deal has no salts, and is bound to its own name', () => {
    storeSeal('T1', commitmentOf('daily/2026-11-17/game', secret), 0)
    const shared = { ...table([null, null]), daily: '2026-11-17' }
    const deal = 'daily/2026-11-17/game'
    shared.fairness = {
      deal,
      commitment: commitmentOf(deal, secret),
      salts: [null, null],
      secret,
      seed: seedOf(deal, secret, [null, null]),
    }
    expect(verdict(shared)).toEqual({ kept: true, commitment: true, bots: true, seed: true })
    shared.fairness.salts = ['00'.repeat(32), null]
    expect(verdict(shared).bots).toBe(false)
  })

  test('without anything kept from before the deal nothing is called proven', () => {
    expect(verdict(table([null]))).toEqual({ kept: null, commitment: null, salt: null, bots: true, seed: true })
  })

  test('of people at one device each number must be in the deal', () => {
    const made = newSalts([0, 1])
    storeSalts('T1', commitmentOf('T1', secret), made)
    const salts = made.map(({ salt }) => salt)
    expect(new Set(salts).size).toBe(2)
    expect(keptOf('T1', '')).toEqual({ commitment: commitmentOf('T1', secret), salt: salts.join(' ') })
    const seats = [0, 1].map((seat) => ({ seat, kind: 'person' }))
    const both = (dealt: (string | null)[]) => verdict({ ...table(dealt), seats } as Table)
    expect(both(salts)).toEqual({ kept: true, commitment: true, salt: true, bots: true, seed: true })
    expect(checkDeal({ ...table(salts), seats, you: { seat: 1 } } as Table).every(({ good }) => good)).toBe(true)
    expect(both([salts[0]!, null]).salt).toBe(false)
    expect(both([salts[0]!, 'ef'.repeat(32)]).salt).toBe(false)
  })

  test('a seal from a file proves nothing of before the deal', () => {
    const given = { commitment: commitmentOf('T1', secret), salt: 'ef'.repeat(32), seat: 0 }
    storeSealFromFile('T1', given)
    expect(verdict(table([given.salt, null]))).toMatchObject({ kept: null, commitment: true, salt: true, seed: true })
    storeSealFromFile('T2', { ...given, commitment: 'cd'.repeat(32) })
    expect(checkDeal({ ...table([given.salt, null]), id: 'T2' })[0]).toEqual({ name: 'kept', good: false })
  })

  test('the commitment first seen is the one that is kept, and a reload sends the same salt', () => {
    const first = storeSeal('T1', 'seal', 0)
    expect(storeSeal('T1', 'seal', 0).salt).toBe(first.salt)
    storeSeal('T1', 'another seal', 0)
    expect(storedSeal('T1')?.commitment).toBe('seal')
  })
})
