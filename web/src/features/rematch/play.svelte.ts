import type { PlaySession } from '../../room/playSession.svelte'
import { play as sound } from '../../sound/play'
import type { PlayPart } from '../atTable'

/** Somebody else's wish to play again. */
export default class Rematch implements PlayPart {
  constructor(private readonly play: PlaySession) {}

  /** The seat of who wishes it; null: nobody, or the viewer. */
  get wishedBy(): number | null {
    const { rematch, rematch_by: by, you } = this.play.table
    return rematch !== null && by !== null && by !== you.seat ? by : null
  }

  start(): void {
    // Not when the page is opened later: then it is no news.
    let known = this.play.table.rematch
    $effect(() => {
      const { rematch } = this.play.table
      if (rematch === known) return
      known = rematch
      if (this.wishedBy !== null) sound('message')
    })
  }
}
