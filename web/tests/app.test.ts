import { render, screen } from '@testing-library/svelte'
import { tick } from 'svelte'
import { expect, test, vi } from 'vitest'
import App from '../src/App.svelte'
import { setFeatures } from '../src/features/registry.svelte'
import { setTexts } from '../src/i18n/language.svelte'
import { go } from '../src/state/router.svelte'
import { allTexts } from './catalogues'
import { seen } from './pages.svelte'

vi.mock('../src/pages/lazy', () => import('./pages.svelte'))

test('a page never gets the properties of another address, while that page loads', async () => {
  vi.stubGlobal('fetch', () => new Promise(() => undefined))
  vi.stubGlobal('scrollTo', () => undefined)
  setTexts('en', allTexts('en'))
  setFeatures(null)
  go('/first/T')
  render(App)
  await screen.findByText('T')
  go('/second/mantis')
  await tick()
  await new Promise((done) => setTimeout(done))
  expect(screen.queryByText('T')).toBeNull()
  go('/first/U')
  await screen.findByText('U')
  expect(seen).toEqual([{ table: 'T' }, { table: 'U' }])
  vi.unstubAllGlobals()
})
