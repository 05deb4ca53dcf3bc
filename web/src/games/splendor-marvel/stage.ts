// Which events come to the stage: tokens, cards that are reserved or recruited, the stone, the tile and the locations.

import type { Line } from '../../api/protocol'
import { between, defineScript, type Beat, type BeatContext } from '../../stage/script'
import StagePiece, { type Piece } from './StagePiece.svelte'
import { bringsText } from './tooltips'
import { placeBefore } from './moves'
import type { Token, View } from './view'
import WinningBoard from './WinningBoard.svelte'

type Context = BeatContext<View>

const placeOf = (seat: unknown) => `tokens-${Number(seat)}`
const cardOf = (line: Line): string | null => (typeof line.card === 'string' ? line.card : null)

/** A card that goes to a seat. */
function card(line: Line, { log }: Context): Beat<Piece> {
  const level = Number(line.level ?? 1)
  return {
    ...between(line),
    piece: { card: cardOf(line), level },
    from: line.kind === 'reserved-blind' ? `deck-${level}` : placeBefore(log, line),
    travels: true,
    sound: 'flip',
  }
}

/** What a card brings, for who did not choose it. */
function brings(line: Line, { sentences, view }: Context): Pick<Beat, 'words' | 'spoken'> {
  const id = cardOf(line)
  return id === null ? {} : { words: bringsText(sentences, id), spoken: line.seat !== view.seat }
}

export default defineScript<View, Piece>({
  Piece: StagePiece,
  WinningBoard,
  beats: {
    taken: (line) => ({ ...between(line), piece: { tokens: line.colours as Token[] }, sound: 'token' }),
    returned: (line) => ({ ...between(line), piece: { tokens: [line.token as Token] }, sound: 'token' }),
    reserved: (line, context) => card(line, context),
    'reserved-blind': (line, context) => card(line, context),
    recruiting: (line, context) => ({ ...card(line, context), travels: false, sound: undefined }),
    recruited: (line, context) => ({ ...card(line, context), ...brings(line, context), sound: 'match' }),
    'time-stone': (line) => ({
      ...between(line),
      piece: { tokens: ['green'] },
      arrow: placeOf(line.seat),
      sound: 'stone',
    }),
    avengers: (line, { view }) => ({
      ...between(line),
      piece: { tile: view.tile.points },
      arrow: placeOf(line.seat),
      sound: line.how === 'taken-over' ? 'theft' : 'stone',
    }),
    visited: (line) => ({
      ...between(line),
      piece: { location: String(line.location) },
      arrow: placeOf(line.seat),
      sound: 'stone',
    }),
    gauntlet: (line) => ({ ...between(line), arrow: placeOf(line.seat), sound: 'stone' }),
    passed: (line) => between(line),
    over: (_, { log }) => {
      // The card that was recruited last stays in sight.
      const last = log.findLast((one) => one.kind === 'recruited')
      return { piece: last && { card: cardOf(last), level: 1 } }
    },
    // How a card is paid is beside the question; rows and locations are on the table.
    grey: null,
    refilled: null,
    row: null,
    locations: null,
  },
})
