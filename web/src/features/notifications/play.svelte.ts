import type { PlaySession } from '../../room/playSession.svelte'
import { gameName } from '../../state/games.svelte'
import type { PlayPart } from '../atTable'
import { notifyTurn } from './turn'

/** Notifies the person whose turn it is while the page is hidden. */
export default class TurnNotification implements PlayPart {
  constructor(private readonly play: PlaySession) {}

  start(): void {
    const tell = () => notifyTurn(this.play.due, gameName(this.play.table.game))
    $effect(tell)
    $effect(() => {
      document.addEventListener('visibilitychange', tell)
      return () => document.removeEventListener('visibilitychange', tell)
    })
  }
}
