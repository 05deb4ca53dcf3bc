import type { Seat } from '../../api/protocol'
import type { PlaySession } from '../../room/playSession.svelte'
import type { SeatState, SeatTap } from '../../table/scene'
import { settings } from '../../state/settings.svelte'
import type { PlayPart } from '../atTable'
import QuickReactions from './QuickReactions.svelte'
import { react, reactions } from './reactions'
import { wordsOf } from './said'
import Chat from './session.svelte'

/** What was said a moment ago stands at the seat. At one's own, a tap says again what was chosen last, and another offers
 *  all reactions. */
export default class ChatAtSeats implements PlayPart {
  private readonly more: SeatTap = {
    label: 'talk.reactions',
    sign: 'speech',
    opens: true,
    tap: (event) => this.play.toggleSheet(QuickReactions, event),
  }
  private readonly taps = $derived.by((): readonly SeatTap[] => {
    const [reaction, sign] = reactions.find(([name]) => name === settings.reaction) ?? reactions[0]!
    const again = { label: `reaction.${reaction}`, sign, tap: () => react(this.play, reaction) }
    return [again, this.more]
  })

  constructor(private readonly play: PlaySession) {}

  seat({ seat }: Seat): Partial<SeatState> {
    const { play } = this
    const said = play.session.part(Chat).bubbles.shown.get(seat)
    const canReact = seat === play.table.you.seat && play.hasOthers && play.table.phase === 'playing'
    return { bubble: said ? wordsOf(said) : '', ...(canReact && { taps: this.taps }) }
  }
}
