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

export async function meet(): Promise<void> {
  try {
    person.name = (await api.me()).name
  } catch (problem) {
    if (!(problem instanceof Refusal)) throw problem
    person.name = null
  }
  person.known = true
}

export async function rename(name: string): Promise<void> {
  person.name = (await api.name(name)).name
  person.known = true
}

/** One click is enough to play: whoever has no name yet gets a guest's, and can change it at any time. */
export async function beSomebody(): Promise<void> {
  if (!person.known) await meet()
  if (person.name === null)
    await rename(t('you.guest', { n: 10 + (crypto.getRandomValues(new Uint8Array(1))[0]! % 90) }))
}

export async function comeBack(code: string): Promise<void> {
  person.name = (await api.comeBack(code)).name
  person.known = true
}

export async function forget(): Promise<void> {
  await api.forgetMe()
  person.name = null
}
