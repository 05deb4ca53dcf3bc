// Finds the drawings of the games: one folder each in web/src/games. A game without one gets the generic table.

import { addTexts } from '../i18n/language.svelte'
import type { GameUI } from './GameUI'

const drawings = import.meta.glob<GameUI>('../games/*/index.ts', { import: 'default' })
const covers = import.meta.glob<string>('../games/*/cover.svg', { eager: true, query: '?url', import: 'default' })

/** Address of the cover picture; undefined for a game without one. */
export function coverOf(game: string): string | undefined {
  return covers[`../games/${game}/cover.svg`]
}

const loading = new Map<string, Promise<GameUI>>()

async function load(game: string): Promise<GameUI> {
  const drawing = drawings[`../games/${game}/index.ts`]
  const ui = drawing ? await drawing() : (await import('./generic')).default
  if (ui.texts) await addTexts(game, ui.texts)
  return ui
}

/** The drawing of a game with its texts, loaded once. */
export function loadGameUI(game: string): Promise<GameUI> {
  let ui = loading.get(game)
  if (!ui) {
    ui = load(game)
    loading.set(game, ui)
    // After a failure the next caller tries again.
    ui.catch(() => loading.delete(game))
  }
  return ui
}
