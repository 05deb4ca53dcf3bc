// What the keys for reading the table say.

import { t } from '../../i18n/language.svelte'
import type { Sentences } from '../../i18n/sentences'
import type { Scene } from '../../table/scene'
import type { Speech } from '../../table/speech'
import { colours, tokens } from './parts'
import { cardLabel, tokenName } from './tooltips'
import type { Notebook, Token, View } from './view'

function counted(sentences: Sentences, counts: Partial<Record<Token, number>>): string {
  const words = tokens
    .filter((token) => counts[token])
    .map((token) => `${tokenName(sentences, token)}: ${counts[token]}`)
  return words.join(', ') || t('notes.none')
}

function seat(scene: Scene<View>, at: number): string[] {
  const { view, sentences } = scene
  const place = view.seats[at]!
  const total = tokens.reduce((sum, token) => sum + place.tokens[token], 0)
  const bonuses = colours
    .filter((colour) => place.bonuses[colour])
    .map((colour) =>
      t('splendor-marvel.table.bonus', { name: sentences.text(`colour.${colour}`), n: place.bonuses[colour] }),
    )
  const reserved = place.reserved.map(({ card, level }) =>
    card
      ? t('splendor-marvel.table.reserved', { card: cardLabel(sentences, card) })
      : t('splendor-marvel.table.reserved.hidden', { level }),
  )
  return [
    t('splendor-marvel.table.seat', { name: scene.seats[at]!.name, points: place.points, tokens: total }),
    counted(sentences, place.tokens),
    ...bonuses,
    ...reserved,
    ...place.locations.map((location) => sentences.card(location)),
  ]
}

export const speech: Speech<View, Notebook> = {
  table: ({ view, sentences }) => [
    `${t('splendor-marvel.table.bank')}: ${counted(sentences, view.bank)}`,
    ...Object.keys(view.rows)
      .sort()
      .reverse()
      .flatMap((level) => [
        t('splendor-marvel.table.level', { n: Number(level) }),
        ...(view.rows[level] ?? []).flatMap((card) => (card ? [cardLabel(sentences, card)] : [])),
      ]),
    `${t('splendor-marvel.table.locations')}: ${view.locations.map((one) => sentences.card(one)).join(', ') || t('notes.none')}`,
  ],
  seat,
  own: (scene) => (scene.view.seat === null ? [] : seat(scene, scene.view.seat)),
  known: ({ known }, sentences) =>
    known.reserved.map(({ seat: holder, card }) => `${sentences.seat(holder)}: ${sentences.card(card)}`),
}
