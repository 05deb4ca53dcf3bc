import { has } from '../i18n/language.svelte'

const MOST_LINES = 20

/** The keys of the few lines that say how a game is played. */
export function howto(game: string): string[] {
  return Array.from({ length: MOST_LINES }, (_, i) => `${game}.howto.${i + 1}`).filter(has)
}
