// Which events come to the stage: the card that turns over, what is stolen, what a card allows.

import { t } from '../../i18n/language.svelte'
import { between, defineScript } from '../../stage/script'
import { frontOf } from './cards'
import StagePiece, { type Piece } from './StagePiece.svelte'
import type { View } from './view'
import WinningBoard from './WinningBoard.svelte'

export default defineScript<View, Piece>({
  Piece: StagePiece,
  WinningBoard,
  beats: {
    turned: (line) => ({
      ...between(line),
      opening: t(`mantis.stage.${String(line.how)}`),
      piece: { turning: String(line.card) },
      from: 'draw',
      arrow: `tank-${Number(line.target)}-${frontOf(line.card)}`,
      travels: true,
      sound: !line.matched ? 'flip' : line.how === 'steal' ? 'theft' : 'match',
    }),
    taken: (line) => ({
      ...between(line),
      piece: { taken: true },
      from: `score-${Number(line.target)}`,
      arrow: `score-${Number(line.seat)}`,
      travels: true,
      sound: 'theft',
    }),
    'another-turn': (line) => ({ ...between(line), sound: 'token' }),
    'turn-ended': (line) => between(line),
    over: (_, { log }) => {
      // The card that decided it stays in sight.
      const last = log.findLast((one) => one.kind === 'turned')
      return { piece: last && { turned: String(last.card) } }
    },
    // The tanks and the back of the pile are on the table.
    dealt: null,
    back: null,
  },
})
