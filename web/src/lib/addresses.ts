// Reading addresses of pages.

/** For a page whose address is one word, and nothing else. */
export const onlyAt = (word: string) => (parts: readonly string[]) =>
  parts.length === 1 && parts[0] === word ? {} : null

export const numberIn = (search: URLSearchParams, name: string): number | null =>
  search.has(name) ? Number(search.get(name)) || 0 : null
