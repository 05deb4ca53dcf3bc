import { expect, test } from 'vitest'
import { placed } from '../src/ui/paths'
import { signs } from '../src/ui/signs'

test('a path is moved and scaled: absolute numbers both, relative ones and lengths scaled, flags of arcs as they are', () => {
  expect(placed('M12 2a10 10 0 1 1 0 20z', 100, 50, 2)).toBe('M124 54a20 20 0 1 1 0 40z')
  expect(placed('M1 2H3V4h5v-.5L6 7', 10, 20, 0.5)).toBe('M10.5 21H11.5V22h2.5v-0.25L13 23.5')
  expect(placed('M12 1C15.5 6 20 10.6 20 15.2c-1.4 3 .3 6.2 3.4 6.6', 1, 1, 1)).toBe(
    'M13 2C16.5 7 21 11.6 21 16.2c-1.4 3 0.3 6.2 3.4 6.6',
  )
})

test('numbers after the first set of a command repeat it', () => {
  expect(placed('M0 0L1 1 2 2', 1, 2, 1)).toBe('M1 2L2 3 3 4')
})

test.each(Object.entries(signs))(
  '%s: every command has whole sets of numbers, so that each is read as what it is',
  (_, path) => {
    const sizes: Record<string, number> = { M: 2, L: 2, T: 2, H: 1, V: 1, S: 4, Q: 4, C: 6, A: 7, Z: 0 }
    for (const [, command, numbers] of path.matchAll(/([a-zA-Z])([^a-zA-Z]*)/g)) {
      const count = (numbers!.match(/-?(?:\d+\.?\d*|\.\d+)/g) ?? []).length
      const size = sizes[command!.toUpperCase()]!
      expect(size === 0 ? count === 0 : count > 0 && count % size === 0, `${command}${numbers}`).toBe(true)
    }
  },
)
