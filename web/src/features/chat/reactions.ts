import type { Reaction } from '../../api/protocol'
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
