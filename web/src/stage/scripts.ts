// Finds the scripts of the games: `stage.ts` in a game's folder.

import type { Script } from './script'

const scripts = import.meta.glob<Script>('../games/*/stage.ts', { import: 'default' })

export async function loadScript(game: string): Promise<Script | null> {
  return (await scripts[`../games/${game}/stage.ts`]?.()) ?? null
}
