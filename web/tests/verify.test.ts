// The page that checks game files, with a worker that the test holds in its hands.
import { cleanup, render, screen, waitFor } from '@testing-library/svelte'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import Verify from '../src/features/verify/Verify.svelte'
import type { Told } from '../src/features/verify/checker'
import { setTexts } from '../src/i18n/language.svelte'
import { storeSeal, storeSealFromFile } from '../src/lib/fairness'
import { allTexts } from './catalogues'

const deal = { table: 'T', commitment: 'c' }
const told = (more: Partial<Told>): Told => ({
  result: 'consistent',
  text: 'All fits.',
  checks: [],
  limits: [],
  ...deal,
  ...more,
})
interface Asked {
  id: number
  file: Blob
  language: string
  commitment?: string | null
  salt?: string | null
}

class FakeWorker {
  static all: FakeWorker[] = []
  static answer: (asked: Asked) => object = ({ id, commitment }) => ({
    type: 'checked',
    id,
    text: JSON.stringify(told(commitment ? { result: 'sealed', text: `Kept ${commitment}.` } : {})),
  })
  static opening: object = { type: 'opened' }
  onmessage: (event: { data: object }) => void = () => undefined
  onerror: (event: { preventDefault: () => void }) => void = () => undefined
  asked: Asked[] = []
  isTerminated = false
  constructor(readonly address: string) {
    FakeWorker.all.push(this)
    queueMicrotask(() => this.onmessage({ data: FakeWorker.opening }))
  }
  postMessage(asked: Asked) {
    this.asked.push(asked)
    queueMicrotask(() => this.onmessage({ data: FakeWorker.answer(asked) }))
  }
  terminate() {
    this.isTerminated = true
  }
}

const answers: Record<string, unknown> = {}
const { answer, opening } = FakeWorker

beforeEach(() => {
  FakeWorker.all = []
  Object.assign(FakeWorker, { answer, opening })
  answers['/api/offline'] = { version: 'v1', bytes: 6_000_000, games: [] }
  vi.stubGlobal('Worker', FakeWorker)
  vi.stubGlobal('fetch', (path: string) =>
    Promise.resolve(new Response(JSON.stringify(answers[path] ?? null), { status: path in answers ? 200 : 404 })),
  )
  vi.spyOn(console, 'warn').mockImplementation(() => undefined)
  setTexts('en', allTexts('en'))
  localStorage.clear()
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

const heading = (name: string | RegExp) => waitFor(() => screen.getByRole('heading', { name }))

async function paste(text: string) {
  const field = screen.getByTestId<HTMLTextAreaElement>('paste')
  field.value = text
  field.dispatchEvent(new Event('input', { bubbles: true }))
  await waitFor(() => expect(screen.getByTestId<HTMLButtonElement>('check').disabled).toBe(false))
  screen.getByTestId('check').click()
}

test('nothing is loaded before there is a file', async () => {
  render(Verify, { table: null })
  await Promise.resolve()
  expect(FakeWorker.all).toEqual([])
})

test('a pasted file is checked with what this browser kept of its deal', async () => {
  const { salt } = storeSeal('T', 'kept', 0)
  render(Verify, { table: null })
  await paste('{"a": 1}')
  await heading('Kept kept.')
  const [worker] = FakeWorker.all
  expect(worker!.address).toBe('/offline/v1/checker.mjs')
  expect(worker!.asked[0]!.file.size).toBe('{"a": 1}'.length)
  expect(worker!.asked.map(({ commitment, salt: sent, language }) => [commitment, sent, language])).toEqual([
    [undefined, undefined, 'en'],
    ['kept', salt, 'en'],
  ])
  await paste('{"b": 1}')
  await waitFor(() => expect(worker!.asked).toHaveLength(4))
  expect(FakeWorker.all).toHaveLength(1)
})

test('of a deal that several tables share, the seal is compared and no number', async () => {
  storeSeal('T', 'kept', 0)
  answers['/api/tables/T/record'] = { a: 1 }
  FakeWorker.answer = ({ id }) => ({ type: 'checked', id, text: JSON.stringify(told({ table: 'daily/1/mantis' })) })
  render(Verify, { table: 'T' })
  await heading('All fits.')
  expect(FakeWorker.all[0]!.asked.map(({ commitment, salt }) => [commitment, salt])).toEqual([
    [undefined, undefined],
    ['kept', null],
  ])
})

test('what came with a file of games is compared, and said to be from there', async () => {
  storeSealFromFile('T', { commitment: 'a'.repeat(64), salt: 'b'.repeat(64), seat: 0 })
  FakeWorker.answer = ({ id, commitment }) => {
    const limits = [{ key: 'who-saw-what', text: 'Who saw what.' }]
    return {
      type: 'checked',
      id,
      text: JSON.stringify(told(commitment ? { result: 'sealed', text: 'Sealed.', limits } : {})),
    }
  }
  render(Verify, { table: null })
  await paste('{}')
  await heading('All fits.')
  await waitFor(() => expect(document.querySelector('[data-limit=from-file]')).not.toBeNull())
  expect(FakeWorker.all[0]!.asked.at(-1)!.salt).toBe('b'.repeat(64))
})

test('in another language the file is checked again', async () => {
  render(Verify, { table: null })
  await paste('{}')
  await heading('All fits.')
  setTexts('it', allTexts('it'))
  await waitFor(() => expect(FakeWorker.all[0]!.asked.at(-1)!.language).toBe('it'))
})

test.each<[string, () => void, string]>([
  ['no pack', () => (answers['/api/offline'] = { version: null, bytes: 0, games: [] }), 'verify.problem.no-pack'],
  ['no WebAssembly', () => vi.stubGlobal('WebAssembly', undefined), 'verify.problem.unsupported'],
  ['a worker that fails', () => (FakeWorker.opening = { type: 'failed', message: '' }), 'verify.problem.failed'],
  [
    'a file that is gone',
    () => (FakeWorker.answer = ({ id }) => ({ type: 'failed', id, message: '' })),
    'verify.problem.unreadable',
  ],
])('a sentence says why: %s', async (_, prepare, key) => {
  prepare()
  render(Verify, { table: null })
  await paste('{}')
  await heading(allTexts('en')[key]!)
})

test('a table without a record says why', async () => {
  vi.stubGlobal('fetch', () =>
    Promise.resolve(
      new Response('{"code":"still-playing","key":"server.refused.still-playing","params":{}}', { status: 409 }),
    ),
  )
  render(Verify, { table: 'T' })
  await heading(allTexts('en')['server.refused.still-playing']!)
  expect(FakeWorker.all).toEqual([])
})

test('the worker ends with the page', async () => {
  const { unmount } = render(Verify, { table: null })
  await paste('{}')
  await heading('All fits.')
  unmount()
  await waitFor(() => expect(FakeWorker.all[0]!.isTerminated).toBe(true))
})
