// The conditions of layouts have names, and each is written once.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { mediaQuery, withLayouts } from '../src/ui/layouts'
import { root } from './catalogues'

test('names stand for conditions, also within each other', () => {
  expect(mediaQuery('(--desk)')).toBe('(min-width: 68.75em)')
  expect(mediaQuery('(--beside)')).toBe('(min-width: 35em) and (max-width: 68.6875em) and (max-height: 30em)')
  expect(mediaQuery('(--compact), (--laptop)')).toBe(
    '(max-width: 43.6875em), (max-width: 68.6875em) and (max-height: 30em), (min-width: 68.75em) and (max-height: 61em)',
  )
  expect(withLayouts('a { color: var(--ink) }\n@media (--desk) {\n')).toBe(
    'a { color: var(--ink) }\n@media (min-width: 68.75em) {\n',
  )
})

test('an unknown name, or a list where it would mean something else, stops the build', () => {
  expect(() => mediaQuery('(--desks)')).toThrow('no layout (--desks)')
  expect(() => mediaQuery('(min-width: 10em) and (--compact)')).toThrow('is a list')
})

test('no condition on the size of the window is written in two places', () => {
  const folder = join(root, 'web/src')
  const seen = new Map<string, string>()
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    if (!/\.(svelte|css)$/.test(name)) continue
    const conditions = [...readFileSync(join(folder, name), 'utf8').matchAll(/@media ([^{]*)/g)].map(
      (match) => match[1]!,
    )
    for (const [edge] of conditions.join().matchAll(/\((?:min|max)-(?:width|height): [\d.]+em\)/g)) {
      expect([edge, seen.get(edge) ?? name]).toEqual([edge, name])
      seen.set(edge, name)
    }
  }
})
