import type { Seat } from '../../api/protocol'
import type { PlaySession } from '../../room/playSession.svelte'
import type { SeatState } from '../../table/scene'
import type { PlayPart } from '../atTable'
import { wordsOf } from './said'
import Chat from './session.svelte'

/** What was said a moment ago stands at the seat. */
export default class ChatAtSeats implements PlayPart {
  constructor(private readonly play: PlaySession) {}

  seat({ seat }: Seat): Partial<SeatState> {
    const said = this.play.session.part(Chat).bubbles.shown.get(seat)
    return { bubble: said ? wordsOf(said) : '' }
  }
}
