// What the keys for reading the table say.

import { t } from '../../i18n/language.svelte'
import type { Sentences } from '../../i18n/sentences'
import type { Scene } from '../../table/scene'
import type { Speech } from '../../table/speech'
import { numberOf } from './cards'
import { knownHand } from './known'
import { heldStones } from './stones'
import type { Notebook, View } from './view'

const named = (sentences: Sentences, card: string) => `${numberOf(card)} ${sentences.card(card)}`

/** What is said where no card lies face up: the played ones may have become a new deck. */
export function emptyWords({ view, log }: Scene<View>, at: number): string {
  const hadCards = log.some((line) => line.seat === at && (line.kind === 'played' || line.kind === 'defeated'))
  const isShuffled = hadCards && view.seats[at]?.role === 'hero' && log.some((line) => line.kind === 'new-deck')
  return t(`infinity-gauntlet.table.${isShuffled ? 'back-in-deck' : 'nothing-yet'}`)
}

function seat(scene: Scene<View>, at: number): string[] {
  const { view, sentences } = scene
  const { role, hand_size, tokens, face_up } = view.seats[at]!
  const { name } = scene.seats[at]!
  const faceUp = face_up.map((card) => named(sentences, card)).join(', ') || emptyWords(scene, at)
  const known = knownHand(scene, at).map((card) => t('infinity-gauntlet.notes.known', { card: named(sentences, card) }))
  return [
    `${t('infinity-gauntlet.table.seat', { name, cards: hand_size, tokens })} (${t(`infinity-gauntlet.table.role.${role}`)})`,
    `${t('infinity-gauntlet.table.face-up')}: ${faceUp}`,
    ...(at === view.seat ? [] : known.map((words) => `${name} ${words}`)),
  ]
}

/** The stones face up, and those in the hand where the viewer sees it. */
export function stoneWords({ view, sentences }: Scene<View>): string[] {
  const held = heldStones(view)
  const counted = (cards: readonly string[]) => ({
    n: cards.length,
    stones: cards.map((card) => sentences.card(card)).join(', '),
  })
  return [
    view.stones.length
      ? t('infinity-gauntlet.table.stones', counted(view.stones))
      : t('infinity-gauntlet.table.no-stones'),
    ...(held.length ? [t('infinity-gauntlet.table.held-stones', counted(held))] : []),
  ]
}

export const speech: Speech<View, Notebook> = {
  table: (scene) => [
    t('infinity-gauntlet.table.life.heroes', { n: scene.view.life.heroes }),
    t('infinity-gauntlet.table.life.thanos', { n: scene.view.life.thanos }),
    ...stoneWords(scene),
    t('infinity-gauntlet.table.deck.hero', { n: scene.view.decks.hero }),
    t('infinity-gauntlet.table.deck.thanos', { n: scene.view.decks.thanos }),
  ],
  seat,
  own: ({ view, sentences }) =>
    (view.seats[view.seat ?? -1]?.hand ?? []).map(
      (card) => `${named(sentences, card)}: ${sentences.text(`effect.${card}`)}`,
    ),
  known: ({ known }, sentences, viewer) =>
    known.hands.flatMap((hand, holder) =>
      holder === viewer
        ? []
        : hand.map(
            (card) =>
              `${sentences.seat(holder)} ${t('infinity-gauntlet.notes.known', { card: named(sentences, card) })}`,
          ),
    ),
}
