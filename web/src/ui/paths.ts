// Paths of SVG, moved and scaled in their numbers: an <svg> or a transform of its own for each small sign makes the browser
// keep a layout, a clip and a chunk of paint for it, in every frame.

/** The meaning of each command's numbers: x, y, a length (l), or unchanged (-). */
const NUMBERS: Record<string, string> = {
  M: 'xy',
  L: 'xy',
  T: 'xy',
  H: 'x',
  V: 'y',
  S: 'xyxy',
  Q: 'xyxy',
  C: 'xyxyxy',
  A: 'll---xy',
}
const TOKEN = /[a-zA-Z]|-?(?:\d+\.?\d*|\.\d+)/g
const known = new Map<string, string>()

/** A path whose box begins at (x, y), `scale` times as large. */
export function placed(path: string, x: number, y: number, scale: number): string {
  const key = `${x} ${y} ${scale} ${path}`
  let text = known.get(key)
  if (text === undefined) known.set(key, (text = place(path, x, y, scale)))
  return text
}

function place(path: string, x: number, y: number, scale: number): string {
  let out = ''
  let kinds = ''
  let isRelative = false
  let at = 0
  for (const [token] of path.matchAll(TOKEN)) {
    if (/[a-zA-Z]/.test(token)) {
      kinds = NUMBERS[token.toUpperCase()] ?? ''
      isRelative = token !== token.toUpperCase()
      at = 0
      out += token
      continue
    }
    const kind = kinds[at % kinds.length]
    const shift = isRelative ? 0 : kind === 'x' ? x : kind === 'y' ? y : 0
    out += `${at ? ' ' : ''}${kind === '-' ? token : round(Number(token) * scale + shift)}`
    at += 1
  }
  return out
}

const round = (value: number) => Math.round(value * 1000) / 1000
