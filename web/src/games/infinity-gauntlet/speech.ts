// What the keys for reading the table say.

import { t } from '../../i18n/language.svelte'
import type { Sentences } from '../../i18n/sentences'
import type { Scene } from '../../table/scene'
import type { Speech } from '../../table/speech'
import { numberOf } from './cards'
import { knownHand } from './known'
import type { Notebook, View } from './view'

const named = (sentences: Sentences, card: string) => `${numberOf(card)} ${sentences.card(card)}`

function seat(scene: Scene<View>, at: number): string[] {
  const { view, sentences } = scene
  const { role, hand_size, tokens, face_up } = view.seats[at]!
  const { name } = scene.seats[at]!
  const faceUp = face_up.map((card) => named(sentences, card)).join(', ') || t('infinity-gauntlet.table.nothing-yet')
  const known = knownHand(scene, at).map((card) => t('infinity-gauntlet.notes.known', { card: named(sentences, card) }))
  return [
    `${t('infinity-gauntlet.table.seat', { name, cards: hand_size, tokens })} (${t(`infinity-gauntlet.table.role.${role}`)})`,
    `${t('infinity-gauntlet.table.face-up')}: ${faceUp}`,
    ...(at === view.seat ? [] : known.map((words) => `${name} ${words}`)),
  ]
}

export const speech: Speech<View, Notebook> = {
  table: ({ view, sentences }) => [
    t('infinity-gauntlet.table.life.heroes', { n: view.life.heroes }),
    t('infinity-gauntlet.table.life.thanos', { n: view.life.thanos }),
    view.stones.length
      ? t('infinity-gauntlet.table.stones', {
          n: view.stones.length,
          stones: view.stones.map((card) => sentences.card(card)).join(', '),
        })
      : t('infinity-gauntlet.table.no-stones'),
    t('infinity-gauntlet.table.deck.hero', { n: view.decks.hero }),
    t('infinity-gauntlet.table.deck.thanos', { n: view.decks.thanos }),
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
