// Features from separate packages, with modules that the test holds in its hands.
import { cleanup, render } from '@testing-library/svelte'
import { flushSync, tick } from 'svelte'
import { afterEach, expect, test, vi } from 'vitest'
import type { Table } from '../src/api/protocol'
import { TableSession } from '../src/api/session.svelte'
import { loadOutsideModules, outsideModules, sessionFor, type OutsideModule } from '../src/features/outside.svelte'
import OutsidePanel from '../src/features/OutsidePanel.svelte'
import { setFeatures } from '../src/features/registry.svelte'

afterEach(() => {
  cleanup()
  vi.restoreAllMocks()
})

const list = (...names: string[]) =>
  setFeatures({ features: names, outside_features: names.map((name) => ({ name, module: `/features/${name}/x.js` })) })
const module = (panel: OutsideModule['panel']): OutsideModule => ({ title: () => 'Dice', panel })

test('each listed module is loaded once, and one that cannot be loaded stops no other', async () => {
  const error = vi.spyOn(console, 'error').mockImplementation(() => undefined)
  list('broken', 'dice')
  const load = vi.fn((address: string) =>
    address.includes('broken')
      ? Promise.reject(new Error('gone'))
      : Promise.resolve({ default: module(() => undefined) }),
  )
  await loadOutsideModules(load)
  await loadOutsideModules(load)
  expect([...outsideModules.loaded.keys()]).toEqual(['dice'])
  expect(load.mock.calls.map(([address]) => address)).toEqual([
    '/features/broken/x.js',
    '/features/dice/x.js',
    '/features/broken/x.js',
  ])
  expect(error).toHaveBeenCalledTimes(2)
})

test('a subscriber hears the table now and after each change, until it ends that', () => {
  const session = new TableSession('T')
  session.table = { id: 'T', opened: 1 } as Table
  const heard: number[] = []
  const stop = sessionFor('dice', session).subscribe((table) => heard.push(table.opened))
  expect(heard).toEqual([1])
  session.table = { ...session.table, opened: 2 }
  flushSync()
  stop()
  session.table = { ...session.table, opened: 3 }
  flushSync()
  expect(heard).toEqual([1, 2])
})

test('a panel is filled and emptied, and one that throws leaves the page as it is', async () => {
  const error = vi.spyOn(console, 'error').mockImplementation(() => undefined)
  const ended = vi.fn()
  const session = new TableSession('T')
  const good = module((element) => {
    element.textContent = 'rolled'
    return ended
  })
  const { container, unmount } = render(OutsidePanel, { name: 'dice', module: good, session })
  await tick()
  expect(container.textContent).toContain('rolled')
  unmount()
  expect(ended).toHaveBeenCalledOnce()
  const bad = module(() => {
    throw new Error('broken')
  })
  render(OutsidePanel, { name: 'dice', module: bad, session })
  await tick()
  expect(error).toHaveBeenCalledOnce()
})
