/** The next value, with equal parts taken from the previous one: what did not change stays the same object, and
 *  nothing that depends on it is drawn again. Both are JSON; neither is changed. */
export function keepEqualParts<T>(before: unknown, next: T): T {
  if (before === next) return next
  if (typeof before !== 'object' || typeof next !== 'object' || before === null || next === null) return next
  if (Array.isArray(next)) {
    if (!Array.isArray(before)) return next
    const parts: unknown[] = next.map((part, i) => keepEqualParts(before[i], part))
    return (isSame(before, parts) ? before : parts) as T
  }
  if (Array.isArray(before)) return next
  const old = before as Record<string, unknown>
  const keys = Object.keys(next)
  const shared = withEqualParts(old, next)
  const isEqual = keys.length === Object.keys(old).length && keys.every((key) => key in old && old[key] === shared[key])
  return (isEqual ? old : shared) as T
}

/** Always a new object, with equal parts of the previous one. */
export function withEqualParts<T extends object>(before: object | null, next: T): Record<string, unknown> & T {
  const old = (before ?? {}) as Record<string, unknown>
  const parts = Object.entries(next).map(([key, part]) => [key, keepEqualParts(old[key], part)])
  return Object.fromEntries(parts) as Record<string, unknown> & T
}

function isSame(before: readonly unknown[], next: readonly unknown[]): boolean {
  return before.length === next.length && next.every((part, i) => part === before[i])
}
