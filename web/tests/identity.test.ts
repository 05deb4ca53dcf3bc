// A browser that plays for the first time gets an identity with one request.
import { afterEach, expect, test, vi } from 'vitest'
import { setTexts } from '../src/i18n/language.svelte'
import { ensureIdentity, me } from '../src/state/identity.svelte'
import { allTexts } from './catalogues'

afterEach(() => vi.unstubAllGlobals())

test('nobody is asked for who is not there: no refused request stands in the console', async () => {
  setTexts('en', allTexts('en'))
  const requests: { method: string; path: string; body: unknown }[] = []
  vi.stubGlobal('fetch', (path: string, { method, body }: { method: string; body: string }) => {
    requests.push({ method, path, body: JSON.parse(body) })
    return Promise.resolve(new Response(JSON.stringify({ name: 'Ada' }), { status: 200 }))
  })
  await ensureIdentity()
  expect(requests).toEqual([
    { method: 'POST', path: '/api/me', body: { name: expect.stringMatching(/^Guest \d\d$/), only_new: true } },
  ])
  expect(me.name, 'the name that the server knows').toBe('Ada')
  await ensureIdentity()
  expect(requests.length).toBe(1)
})
