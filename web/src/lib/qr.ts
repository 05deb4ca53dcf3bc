// QR codes for invite links: byte mode, error correction M, versions 1 to 10 (up to 213 bytes). ISO/IEC 18004.

/** Per version 1 to 10 at level M: error-correction bytes a block, and the data bytes of each block. */
const BLOCKS: readonly [number, readonly number[]][] = [
  [10, [16]],
  [16, [28]],
  [26, [44]],
  [18, [32, 32]],
  [24, [43, 43]],
  [16, [27, 27, 27, 27]],
  [18, [31, 31, 31, 31]],
  [22, [38, 38, 39, 39]],
  [22, [36, 36, 36, 37, 37]],
  [26, [43, 43, 43, 43, 44]],
]
const ALIGNMENT: readonly (readonly number[])[] = [
  [],
  [6, 18],
  [6, 22],
  [6, 26],
  [6, 30],
  [6, 34],
  [6, 22, 38],
  [6, 24, 42],
  [6, 26, 46],
  [6, 28, 50],
]

const exp = new Uint8Array(512)
const log = new Uint8Array(256)
for (let i = 0, x = 1; i < 255; i += 1) {
  exp[i] = exp[i + 255] = x
  log[x] = i
  x = x << 1 > 255 ? (x << 1) ^ 0x11d : x << 1
}

function correction(data: readonly number[], count: number): number[] {
  let generator = [1]
  for (let i = 0; i < count; i += 1) {
    const next = new Array<number>(generator.length + 1).fill(0)
    generator.forEach((coefficient, j) => {
      next[j]! ^= coefficient
      next[j + 1]! ^= coefficient === 0 ? 0 : exp[log[coefficient]! + i]!
    })
    generator = next
  }
  const rest = [...data, ...new Array<number>(count).fill(0)]
  for (let i = 0; i < data.length; i += 1) {
    const lead = rest[i]!
    if (lead === 0) continue
    generator.forEach(
      (coefficient, j) => (rest[i + j]! ^= coefficient === 0 ? 0 : exp[log[coefficient]! + log[lead]!]!),
    )
  }
  return rest.slice(data.length)
}

function codewords(bytes: Uint8Array, version: number): number[] {
  const [eccCount, sizes] = BLOCKS[version - 1]!
  const capacity = sizes.reduce((sum, size) => sum + size, 0)
  const bits: number[] = []
  const push = (value: number, length: number) => {
    for (let i = length - 1; i >= 0; i -= 1) bits.push((value >> i) & 1)
  }
  push(4, 4)
  push(bytes.length, version < 10 ? 8 : 16)
  bytes.forEach((byte) => push(byte, 8))
  push(0, Math.min(4, capacity * 8 - bits.length))
  while (bits.length % 8) bits.push(0)
  const words: number[] = []
  for (let i = 0; i < bits.length; i += 8) words.push(bits.slice(i, i + 8).reduce((sum, bit) => sum * 2 + bit, 0))
  for (let pad = 0; words.length < capacity; pad += 1) words.push(pad % 2 ? 0x11 : 0xec)
  let from = 0
  const blocks = sizes.map((size) => words.slice(from, (from += size)))
  const ecc = blocks.map((block) => correction(block, eccCount))
  const out: number[] = []
  for (let i = 0; i < Math.max(...sizes); i += 1) for (const block of blocks) if (i < block.length) out.push(block[i]!)
  for (let i = 0; i < eccCount; i += 1) for (const block of ecc) out.push(block[i]!)
  return out
}

type Grid = (boolean | null)[][]

const MASKS: readonly ((y: number, x: number) => boolean)[] = [
  (y, x) => (y + x) % 2 === 0,
  (y) => y % 2 === 0,
  (_, x) => x % 3 === 0,
  (y, x) => (y + x) % 3 === 0,
  (y, x) => (Math.floor(y / 2) + Math.floor(x / 3)) % 2 === 0,
  (y, x) => ((y * x) % 2) + ((y * x) % 3) === 0,
  (y, x) => (((y * x) % 2) + ((y * x) % 3)) % 2 === 0,
  (y, x) => (((y + x) % 2) + ((y * x) % 3)) % 2 === 0,
]

function checked(value: number, bits: number, generator: number, degree: number): number {
  let rest = value << degree
  for (let i = bits - 1; i >= 0; i -= 1) if (rest & (1 << (i + degree))) rest ^= generator << i
  return (value << degree) | rest
}

function frame(version: number): Grid {
  const size = 17 + 4 * version
  const grid: Grid = Array.from({ length: size }, () => new Array<boolean | null>(size).fill(null))
  const square = (cy: number, cx: number, reach: number, dark: (distance: number) => boolean) => {
    for (let y = cy - reach; y <= cy + reach; y += 1) {
      for (let x = cx - reach; x <= cx + reach; x += 1) {
        if (y >= 0 && x >= 0 && y < size && x < size) grid[y]![x] = dark(Math.max(Math.abs(y - cy), Math.abs(x - cx)))
      }
    }
  }
  for (const [y, x] of [
    [3, 3],
    [3, size - 4],
    [size - 4, 3],
  ] as const)
    square(y, x, 4, (distance) => distance !== 2 && distance < 4)
  const places = ALIGNMENT[version - 1]!
  for (const y of places)
    for (const x of places) if (grid[y]![x] === null) square(y, x, 2, (distance) => distance !== 1)
  for (let i = 8; i < size - 8; i += 1) {
    grid[6]![i] ??= i % 2 === 0
    grid[i]![6] ??= i % 2 === 0
  }
  if (version >= 7) {
    const bits = checked(version, 6, 0x1f25, 12)
    for (let i = 0; i < 18; i += 1) {
      const bit = ((bits >> i) & 1) === 1
      grid[Math.floor(i / 3)]![size - 11 + (i % 3)] = bit
      grid[size - 11 + (i % 3)]![Math.floor(i / 3)] = bit
    }
  }
  return grid
}

function format(grid: Grid, mask: number): void {
  const size = grid.length
  const bits = checked(mask, 5, 0x537, 10) ^ 0x5412 // level M is 00
  for (let i = 0; i < 15; i += 1) {
    const bit = ((bits >> i) & 1) === 1
    if (i < 6) grid[i]![8] = bit
    else if (i < 8) grid[i + 1]![8] = bit
    else grid[size - 15 + i]![8] = bit
    if (i < 8) grid[8]![size - 1 - i] = bit
    else grid[8]![i < 9 ? 7 : 14 - i] = bit
  }
  grid[size - 8]![8] = true
}

function penalty(grid: boolean[][]): number {
  const size = grid.length
  let total = 0
  let dark = 0
  const finder = ['10111010000', '00001011101']
  for (const line of [...grid, ...grid.map((_, i) => grid.map((row) => row[i]!))]) {
    const text = line.map(Number).join('')
    for (const run of text.match(/0{5,}|1{5,}/g) ?? []) total += run.length - 2
    for (const pattern of finder)
      for (let i = text.indexOf(pattern); i >= 0; i = text.indexOf(pattern, i + 1)) total += 40
  }
  for (let y = 0; y < size; y += 1) {
    for (let x = 0; x < size; x += 1) {
      if (grid[y]![x]) dark += 1
      if (y && x && new Set([grid[y]![x], grid[y - 1]![x], grid[y]![x - 1], grid[y - 1]![x - 1]]).size === 1) total += 3
    }
  }
  return total + Math.floor(Math.abs((dark * 100) / size ** 2 - 50) / 5) * 10
}

/** The QR code of a text as rows of dark (true) and light squares; null when the text is too long. */
export function qrCode(text: string): boolean[][] | null {
  const bytes = new TextEncoder().encode(text)
  const version =
    BLOCKS.findIndex(([, sizes], i) => sizes.reduce((sum, size) => sum + size, 0) - (i < 9 ? 2 : 3) >= bytes.length) + 1
  if (version === 0) return null
  const words = codewords(bytes, version)
  const blank = frame(version)
  format(blank, 0)
  const size = blank.length
  let best: boolean[][] | null = null
  let least = Infinity
  MASKS.forEach((dark, mask) => {
    const grid = blank.map((row) => [...row])
    let bit = 0
    for (let right = size - 1; right > 0; right -= 2) {
      if (right === 6) right = 5
      for (let i = 0; i < size; i += 1) {
        const y = ((right + 1) & 2) === 0 ? size - 1 - i : i
        for (const x of [right, right - 1]) {
          if (grid[y]![x] !== null) continue
          const value = bit < words.length * 8 && ((words[bit >> 3]! >> (7 - (bit & 7))) & 1) === 1
          grid[y]![x] = value !== dark(y, x)
          bit += 1
        }
      }
    }
    format(grid, mask)
    const finished = grid as boolean[][]
    const score = penalty(finished)
    if (score < least) [least, best] = [score, finished]
  })
  return best
}
