// What the keys for reading the table say.

import { t } from '../../i18n/language.svelte'
import type { Sentences } from '../../i18n/sentences'
import type { Scene } from '../../table/scene'
import type { Speech } from '../../table/speech'
import { colours } from './parts'
import type { Notebook, View } from './view'

/** "red 2, blue 1", or that the tank is empty. */
export function tankWords(view: View, sentences: Sentences, seat: number): string {
  const { tank } = view.seats[seat]!
  const words = colours
    .filter((colour) => tank[colour] > 0)
    .map((colour) => `${sentences.text(`colour.${colour}`)} ${tank[colour]}`)
  return words.join(', ') || t('mantis.table.tank.empty')
}

function seat(scene: Scene<View>, at: number): string[] {
  const { score } = scene.view.seats[at]!
  const tank = tankWords(scene.view, scene.sentences, at)
  return [t('mantis.table.seat', { name: scene.seats[at]!.name, score, tank })]
}

export const speech: Speech<View, Notebook> = {
  table: ({ view, sentences }) => {
    if (!view.draw.back) return [t('mantis.table.empty')]
    const words = view.draw.back.map((colour) => sentences.text(`colour.${colour}`)).join(', ')
    return [
      t('mantis.table.top', { colours: words }),
      `${t('mantis.table.middle')}: ${view.draw.size} ${t('mantis.table.left', { n: view.draw.size })}`,
    ]
  },
  seat,
  own: (scene) => (scene.view.seat === null ? [] : seat(scene, scene.view.seat)),
  known: (notes, sentences) => {
    const top = colours
      .map((colour) => ({ colour, n: notes.places.draw.top.filter((card) => card.startsWith(`${colour}:`)).length }))
      .filter(({ n }) => n > 0)
    const of = notes.places.draw.top.length
    const words = top.map(({ colour, n }) => `${sentences.text(`colour.${colour}`)} ${n}/${of}`)
    return words.length ? [`${t('mantis.notes.top')}: ${words.join(', ')}`] : []
  },
}
