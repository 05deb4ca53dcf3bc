/** Texts by key (`kuhn-poker.name`) from what was found in files by path (`…/games/kuhn_poker/texts/en.json`). */
export function firstPageTexts(found: Record<string, Record<string, string>>): Record<string, string> {
  const texts: Record<string, string> = {}
  for (const [key, files] of Object.entries(found))
    for (const [path, text] of Object.entries(files)) {
      const game = /games\/([^/]+)\/texts/.exec(path)![1]!.replaceAll('_', '-')
      texts[`${game}.${key}`] = text
    }
  return texts
}
