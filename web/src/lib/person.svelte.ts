// Who this browser is for the server: a guest with a display name, kept in a cookie that the page cannot read.

import { api, Refusal } from './api'
import { t } from './language.svelte'

const person = $state<{ name: string | null; known: boolean }>({ name: null, known: false })

export const me = {
  get name(): string | null {
    return person.name
  },
  /** The server has been asked. */
  get known(): boolean {
    return person.known
  },
}

// The cookie is hidden from scripts; this mark says that there is one, so that strangers are not asked for it in vain.
const MARK = 'tavolino.person'

function isMarked(): boolean {
  try {
    return localStorage.getItem(MARK) !== null
  } catch {
    return true
  }
}

function become(name: string | null): void {
  person.name = name
  person.known = true
  try {
    if (name === null) localStorage.removeItem(MARK)
    else localStorage.setItem(MARK, 'yes')
  } catch {
    // Without storage the server is asked every time.
  }
}

/** Asks the server who we are. */
export async function meet(): Promise<void> {
  try {
    become((await api.me()).name)
  } catch (problem) {
    if (!(problem instanceof Refusal)) throw problem
    become(null)
  }
}

/** The same, where this browser has been somebody before. */
export async function meetAgain(): Promise<void> {
  if (isMarked()) await meet()
}

export async function rename(name: string): Promise<void> {
  become((await api.name(name)).name)
}

/** One click is enough to play: whoever has no name yet gets a guest's, and can change it at any time. */
export async function beSomebody(): Promise<void> {
  if (!person.known) await meet()
  if (person.name === null)
    await rename(t('you.guest', { n: 10 + (crypto.getRandomValues(new Uint8Array(1))[0]! % 90) }))
}

export async function comeBack(code: string): Promise<void> {
  become((await api.comeBack(code)).name)
}

export async function forget(): Promise<void> {
  await api.forgetMe()
  become(null)
}
