/** A key as words, where a game has no text for it: `hand_size` is "Hand size", `cool-card` "Cool card". */
export function readable(key: string): string {
  const words = key.replace(/[-_.]+/g, ' ').trim()
  return words.charAt(0).toUpperCase() + words.slice(1)
}
