import { t } from '../../i18n/language.svelte'
import type { Standing } from '../../table/standings'
import { stoneOf } from './stones'
import type { View } from './view'

/** Stones on the table, and after a snap those that it has shown in the hand (IG-82). */
function stonesOf(view: View, hand: readonly string[] | null): number {
  const shown = view.outcome?.reason === 'IG-82' ? (hand ?? []).filter(stoneOf) : []
  return new Set([...view.stones, ...shown]).size
}

/** A side wins or loses together: no points, but figures for each side and each seat. */
export function standings(view: View): Standing[] {
  return view.seats.map(({ role, hand, face_up, tokens }, seat) => ({
    seat,
    points: null,
    parts: [
      role === 'thanos'
        ? { label: t('infinity-gauntlet.standing.stones'), value: stonesOf(view, hand) }
        : { label: t('infinity-gauntlet.standing.cards'), value: face_up.length },
      { label: t('infinity-gauntlet.standing.tokens'), value: tokens },
      {
        label: t('infinity-gauntlet.standing.lives'),
        value: role === 'thanos' ? view.life.thanos : view.life.heroes,
      },
    ],
  }))
}
