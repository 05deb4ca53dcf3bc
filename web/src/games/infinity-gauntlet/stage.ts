// Which events come to the stage: cards that are played, seen or defeated, guesses, fights, tokens, and the snap.

import type { Line } from '../../api/protocol'
import { t } from '../../i18n/language.svelte'
import { between, defineScript, type Beat, type BeatContext } from '../../stage/script'
import { cards } from './parts'
import StagePiece, { type Piece } from './StagePiece.svelte'
import { stoneOf } from './stones'
import { effect } from './tooltips'
import type { Life, Role, View } from './view'
import WinningBoard from './WinningBoard.svelte'

type Context = BeatContext<View>

const cardOf = (line: Line): string | null => (typeof line.card === 'string' ? line.card : null)
const placeOf = (seat: unknown) => `face-up-${Number(seat)}`
const handOf = (seat: unknown) => `hand-${Number(seat)}`
/** A card of a hand that lies open to the viewer; otherwise the hand. */
const placeOfCard = (seat: unknown, card: string | null) => (card === null ? handOf(seat) : `${handOf(seat)}-${card}`)
/** What a card does: as it is printed for who plays it, and of whoever plays it for the others. */
function effectOf(card: string | null, { seat }: Line, { sentences, view }: Context): string {
  if (card === null) return ''
  return seat === sentences.viewer
    ? effect(sentences, card, view)
    : sentences.text(`effect.${card}.other`, { seat, players: view.players })
}

/** The card whose effect this is. */
const causeOf = ({ log }: Context): Line | undefined =>
  log.findLast((line) => line.kind === 'played' || line.kind === 'copied')

function acting(context: Context): string | null {
  const line = causeOf(context)
  return line ? cardOf(line) : null
}

/** Who played which card, where the beat itself does not show it. */
function cause(context: Context): { cause?: string } {
  const line = causeOf(context)
  return line ? { cause: context.sentences.event(line) } : {}
}

function card(id: string | null, deck: Role): Piece {
  return { card: id, deck: cards[id ?? '']?.deck ?? deck }
}

/** How many stones lie face up with this one. */
const stonesWith = (card: string | null, { stones }: View): { stones?: number } =>
  card !== null && stoneOf(card) ? { stones: new Set([...stones, card]).size } : {}

const roleAt = (seat: unknown, { view }: Context): Role => view.seats[Number(seat)]?.role ?? 'hero'

/** The three cards on top of the deck, for who sees them; the others see their backs. */
const three = (line: Line): Piece => ({
  three: Array.isArray(line.cards) ? (line.cards as string[]) : [null, null, null],
})

/** A card of somebody's hand, seen by who may: others see its back, and hear the same. */
function hidden(line: Line, context: Context, holder: unknown): Beat<Piece> {
  return { ...between(line), ...cause(context), piece: card(cardOf(line), roleAt(holder, context)), sound: 'flip' }
}

export default defineScript<View, Piece>({
  Piece: StagePiece,
  WinningBoard,
  beats: {
    played: (line, context) => ({
      ...between(line),
      piece: { ...card(cardOf(line), roleAt(line.seat, context)), ...stonesWith(cardOf(line), context.view) },
      from: handOf(line.seat),
      travels: true,
      words: effectOf(cardOf(line), line, context),
      // Who has played the card knows it.
      spoken: line.seat !== context.view.seat,
      sound: stoneOf(String(line.card)) ? 'stone' : 'flip',
    }),
    copied: (line, context) => ({
      ...between(line),
      piece: card(cardOf(line), 'thanos'),
      words: effectOf(cardOf(line), line, context),
      spoken: line.seat !== context.view.seat,
      sound: 'stone',
    }),
    chosen: (line, context) => {
      const id = cardOf(line) ?? acting(context)
      return {
        ...between(line),
        piece: { ...card(id, roleAt(line.seat, context)), ...stonesWith(id, context.view) },
        arrow: placeOf(line.target),
        // Who chooses has just read it.
        words: line.seat === context.sentences.viewer ? undefined : effectOf(id, line, context),
      }
    },
    guessed: (line, context) => ({
      ...between(line),
      piece: { guess: Number(line.number), isRight: line.how === 'right', by: acting(context) },
      arrow: typeof line.target === 'number' ? placeOf(line.target) : undefined,
      sound: line.how === 'right' ? 'match' : 'flip',
    }),
    fight: (line, context) => ({ ...cause(context), piece: { fight: line }, size: 'wide', sound: 'hit' }),
    defeated: (line, context) => ({
      ...between(line),
      ...cause(context),
      piece: {
        ...card(cardOf(line), roleAt(line.seat, context)),
        isDefeated: true,
        life: { side: line.side as keyof Life, left: Number(line.life) },
      },
      travels: true,
      sound: 'hit',
    }),
    'shuffled-back': (line) => ({ ...between(line), piece: card(cardOf(line), 'thanos'), arrow: 'deck-thanos' }),
    looked: (line, context) => ({
      ...hidden(line, context, line.target),
      arrow: placeOfCard(line.target, cardOf(line)),
    }),
    tokens: (line, context) => ({
      ...between(line),
      ...cause(context),
      piece: { tokens: Number(line.count) },
      words: t('infinity-gauntlet.stage.token', { n: context.view.token_bonus }),
      arrow: `tokens-${Number(line.seat)}`,
      sound: 'token',
    }),
    spared: (line, context) => ({
      ...between(line),
      piece: card(cardOf(line), roleAt(line.seat, context)),
      arrow: placeOf(line.target),
    }),
    declined: (line, context) => ({ ...between(line), ...cause(context) }),
    'no-effect': (line) => ({ ...between(line), piece: card(cardOf(line), 'thanos') }),
    snap: (line, { view }) => ({
      ...between(line),
      // Those on the table first, then those of the hand.
      piece: { snap: [...view.stones, ...(line.cards as string[])].flatMap((id) => stoneOf(id) ?? []) },
      size: 'whole',
      sound: 'snap',
    }),
    over: (_, { log, view }) => {
      // What decided it stays in sight: the gauntlet, or the last card that fell.
      const last = log.findLast((one) => one.kind === 'snap' || one.kind === 'defeated')
      if (last?.kind === 'snap') return { piece: { glove: true } }
      return { piece: last && { ...card(cardOf(last), roleAt(last.seat, { view } as Context)), isDefeated: true } }
    },
    'top-three': (line, context) => ({ ...between(line), ...cause(context), piece: three(line), sound: 'flip' }),
    ordered: (line, context) => ({ ...between(line), ...cause(context), piece: three(line) }),
    bottom: (line, context) => ({ ...hidden(line, context, line.seat), arrow: 'deck-thanos' }),
    'nothing-to-draw': (line) => between(line),
    'new-deck': (line) => ({
      piece: { card: null, deck: 'hero' },
      short: t('infinity-gauntlet.stage.new-deck', { n: (line.cards as string[]).length }),
      arrow: 'deck-hero',
      sound: 'flip',
    }),
    'turn-ended': null,
    // A card that is drawn travels from its deck to its hand.
    drawn: null,
  },
})
