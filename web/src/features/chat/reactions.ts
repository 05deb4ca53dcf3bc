import type { Reaction } from '../../api/protocol'
import type { PlaySession } from '../../room/playSession.svelte'
import { change } from '../../state/settings.svelte'
import type { SignName } from '../../ui/signs'

export const reactions: readonly [Reaction, SignName][] = [
  ['hello', 'grab'],
  ['well-played', 'star'],
  ['thanks', 'heart'],
  ['oops', 'drop'],
  ['wow', 'sun'],
  ['hmm', 'guess'],
  ['hurry', 'hourglass'],
  ['laugh', 'speech'],
]

/** Says it, and keeps it for the next tap on one's own seat. */
export function react(play: PlaySession, reaction: Reaction): void {
  change('reaction', reaction)
  void play.ask({ type: 'react', reaction })
}
