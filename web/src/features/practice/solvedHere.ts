// Which puzzles were solved on this device, where no server keeps that.
import type { PuzzleCard, Solution } from '../../api/protocol'

const KEY = 'tavolino.puzzles'

type Tries = Record<string, boolean>

function read(): Tries {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? '{}') as Tries
  } catch {
    return {}
  }
}

function write(tries: Tries): void {
  try {
    localStorage.setItem(KEY, JSON.stringify(tries))
  } catch {
    // Then nothing is remembered.
  }
}

export const withTries = (cards: readonly PuzzleCard[]): PuzzleCard[] => {
  const tries = read()
  return cards.map((card) => ({ ...card, solved: card.solved ?? tries[card.id] ?? null }))
}

/** A puzzle that was solved once stays solved. */
export const noteTry = (id: string, { solved }: Solution): void =>
  write({ ...read(), [id]: solved || read()[id] === true })

export const forgetTries = (): void => write({})
