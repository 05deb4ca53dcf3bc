/** Breaks a card's name into one or two lines, and gives the font size at which it fits `width` (in units of the drawing). */
export function nameLines(name: string, width: number, largest = 15): { lines: string[]; size: number } {
  const words = name.split(' ')
  let lines = [name]
  if (name.length > 11 && words.length > 1) {
    let best = Infinity
    for (let cut = 1; cut < words.length; cut += 1) {
      const pair = [words.slice(0, cut).join(' '), words.slice(cut).join(' ')]
      const longest = Math.max(...pair.map((line) => line.length))
      if (longest < best) [best, lines] = [longest, pair]
    }
  }
  const longest = Math.max(...lines.map((line) => line.length))
  // A letter of this font is about 0.56 as wide as it is high.
  return { lines, size: Math.min(largest, lines.length === 1 ? largest : largest * 0.88, width / (longest * 0.56)) }
}
