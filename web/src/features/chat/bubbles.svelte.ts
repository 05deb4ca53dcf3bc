// What was said a moment ago, by seat: the table shows it beside the name.

import { SvelteMap } from 'svelte/reactivity'
import type { Said } from '../../api/protocol'

/** How long a bubble stays, in milliseconds. */
const SHOWN = 6000

export class Bubbles {
  readonly shown = new SvelteMap<number, Said>()
  private last: Said | null | undefined
  private timers = new Map<number, ReturnType<typeof setTimeout>>()

  /** Takes the whole chat. What was there at first is not shown: it was said long ago. */
  receive(talk: readonly Said[]): void {
    const from = this.last === undefined ? talk.length : this.last ? talk.lastIndexOf(this.last) + 1 : 0
    const isContinued = this.last === undefined || this.last === null || from > 0
    this.last = talk.at(-1) ?? null
    if (isContinued) for (const said of talk.slice(from)) if (said.seat !== null) this.show(said.seat, said)
  }

  private show(seat: number, said: Said): void {
    clearTimeout(this.timers.get(seat))
    this.shown.set(seat, said)
    this.timers.set(
      seat,
      setTimeout(() => this.shown.delete(seat), SHOWN),
    )
  }

  stop(): void {
    for (const timer of this.timers.values()) clearTimeout(timer)
  }
}
