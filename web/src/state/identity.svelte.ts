// Identity of this browser: a guest with a display name. The credential is a cookie that scripts cannot read.

import { api, ApiError } from '../api/http'
import { t } from '../i18n/language.svelte'

const person = $state<{ name: string | null; known: boolean }>({ name: null, known: false })

export const me = {
  get name(): string | null {
    return person.name
  },
  /** Whether the server has answered. */
  get known(): boolean {
    return person.known
  },
}

// Marks that there is a cookie, to avoid a useless request.
const MARK = 'tavolino.person'

function isMarked(): boolean {
  try {
    return localStorage.getItem(MARK) !== null
  } catch {
    return true
  }
}

function setIdentity(name: string | null): void {
  person.name = name
  person.known = true
  try {
    if (name === null) localStorage.removeItem(MARK)
    else localStorage.setItem(MARK, 'yes')
  } catch {
    // Without storage there is a request every time.
  }
}

/** Loads the identity from the server. */
async function loadIdentity(): Promise<void> {
  try {
    setIdentity((await api.me()).name)
  } catch (problem) {
    if (!(problem instanceof ApiError)) throw problem
    setIdentity(null)
  }
}

/** Loads the identity if this browser has had one before. */
export async function restoreIdentity(): Promise<void> {
  if (isMarked()) await loadIdentity()
}

/** Returns whether the new name is shown only after the end of a game. */
export async function rename(name: string): Promise<boolean> {
  const named = await api.name(name)
  setIdentity(named.name)
  return named.new_name !== null
}

/** One click is enough to play: a browser without an identity gets a guest name, which can be changed at any time. */
export async function ensureIdentity(): Promise<void> {
  if (person.name !== null) return
  const guest = t('you.guest', { n: 10 + (crypto.getRandomValues(new Uint8Array(1))[0]! % 90) })
  setIdentity((await api.anyIdentity(guest)).name)
}

export async function signInWithCode(code: string): Promise<void> {
  setIdentity((await api.signInWithCode(code)).name)
}

export async function deleteIdentity(): Promise<void> {
  await api.deleteIdentity()
  setIdentity(null)
}
