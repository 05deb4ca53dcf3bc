import type { Seat } from '../../api/protocol'
import type { PlaySession } from '../../room/playSession.svelte'
import type { SeatState, SeatTap } from '../../table/scene'
import type { PlayPart } from '../atTable'
import QuickReactions from './QuickReactions.svelte'
import { wordsOf } from './said'
import Chat from './session.svelte'

/** What was said a moment ago stands at the seat, and a tap on one's own offers the reactions. */
export default class ChatAtSeats implements PlayPart {
  private readonly tap: SeatTap = {
    label: 'talk.reactions',
    sign: 'speech',
    open: (event) => this.play.toggleSheet(QuickReactions, event),
  }

  constructor(private readonly play: PlaySession) {}

  seat({ seat }: Seat): Partial<SeatState> {
    const { play } = this
    const said = play.session.part(Chat).bubbles.shown.get(seat)
    const canReact = seat === play.table.you.seat && play.hasOthers && play.table.phase === 'playing'
    return { bubble: said ? wordsOf(said) : '', ...(canReact && { tap: this.tap }) }
  }
}
