import jsQR from 'jsqr'
import { expect, test } from 'vitest'
import { qrCode } from '../src/lib/qr'

function read(code: boolean[][]): string | undefined {
  const scale = 4
  const side = (code.length + 8) * scale
  const pixels = new Uint8ClampedArray(side * side * 4).fill(255)
  code.forEach((row, y) =>
    row.forEach((dark, x) => {
      if (!dark) return
      for (let dy = 0; dy < scale; dy += 1)
        for (let dx = 0; dx < scale; dx += 1)
          pixels.fill(
            0,
            (((y + 4) * scale + dy) * side + (x + 4) * scale + dx) * 4,
            (((y + 4) * scale + dy) * side + (x + 4) * scale + dx) * 4 + 3,
          )
    }),
  )
  return jsQR(pixels, side, side)?.data
}

test.each([1, 10, 14, 15, 26, 27, 42, 43, 62, 63, 84, 85, 106, 107, 122, 123, 152, 153, 180, 181, 213])(
  'a reader reads back %i characters',
  (length) => {
    const text = 'https://tavolino.example/table/'.padEnd(length, 'aZ9-_').slice(0, length)
    expect(read(qrCode(text)!)).toBe(text)
  },
)

test('too long a text has no code', () => {
  expect(qrCode('x'.repeat(3000))).toBeNull()
})
