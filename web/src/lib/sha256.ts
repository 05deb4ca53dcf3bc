// SHA-256 (FIPS 180-4). crypto.subtle is not available without https, as on a server at home.

const K = new Uint32Array(64)
const START = new Uint32Array(8)

/** The first 32 bits of the fractional part of a root of a prime: the constants of the standard. */
function rootBits(value: number): number {
  return Math.floor((value - Math.floor(value)) * 2 ** 32) >>> 0
}

let found = 0
for (let n = 2; found < 64; n += 1) {
  let prime = true
  for (let d = 2; d * d <= n; d += 1) if (n % d === 0) prime = false
  if (!prime) continue
  if (found < 8) START[found] = rootBits(Math.sqrt(n))
  K[found] = rootBits(Math.cbrt(n))
  found += 1
}

const turn = (x: number, n: number) => (x >>> n) | (x << (32 - n))

function compress(h: Uint32Array, block: DataView, at: number, w: Uint32Array): void {
  for (let i = 0; i < 16; i += 1) w[i] = block.getUint32(at + 4 * i)
  for (let i = 16; i < 64; i += 1) {
    const a = w[i - 15]!
    const b = w[i - 2]!
    const s0 = turn(a, 7) ^ turn(a, 18) ^ (a >>> 3)
    const s1 = turn(b, 17) ^ turn(b, 19) ^ (b >>> 10)
    w[i] = (w[i - 16]! + s0 + w[i - 7]! + s1) | 0
  }
  let [a, b, c, d, e, f, g, z] = h as unknown as [number, number, number, number, number, number, number, number]
  for (let i = 0; i < 64; i += 1) {
    const s1 = turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)
    const t1 = (z + s1 + ((e & f) ^ (~e & g)) + K[i]! + w[i]!) | 0
    const s0 = turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)
    const t2 = (s0 + ((a & b) ^ (a & c) ^ (b & c))) | 0
    z = g
    g = f
    f = e
    e = (d + t1) | 0
    d = c
    c = b
    b = a
    a = (t1 + t2) | 0
  }
  const sum = [a, b, c, d, e, f, g, z]
  for (let i = 0; i < 8; i += 1) h[i] = (h[i]! + sum[i]!) | 0
}

/** The SHA-256 of a text (as UTF-8), in hex. */
export function sha256(text: string): string {
  const bytes = new TextEncoder().encode(text)
  const padded = new Uint8Array(((bytes.length + 8) >> 6) * 64 + 64)
  padded.set(bytes)
  padded[bytes.length] = 0x80
  const view = new DataView(padded.buffer)
  view.setUint32(padded.length - 8, Math.floor(bytes.length / 2 ** 29))
  view.setUint32(padded.length - 4, bytes.length << 3)
  const h = START.slice()
  const w = new Uint32Array(64)
  for (let at = 0; at < padded.length; at += 64) compress(h, view, at, w)
  return [...h].map((word) => word.toString(16).padStart(8, '0')).join('')
}
