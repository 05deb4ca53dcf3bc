import { t } from '../../i18n/language.svelte'
import type { Standing } from '../../table/standings'
import type { View } from './view'

/** Both sides win or lose together: no points, but what each side and each seat has come to. */
export function standings(view: View): Standing[] {
  return view.seats.map(({ role, face_up, tokens }, seat) => ({
    seat,
    points: null,
    parts: [
      role === 'thanos'
        ? { label: t('infinity-gauntlet.standing.stones'), value: view.stones.length }
        : { label: t('infinity-gauntlet.standing.cards'), value: face_up.length },
      { label: t('infinity-gauntlet.standing.tokens'), value: tokens },
      {
        label: t('infinity-gauntlet.standing.lives'),
        value: role === 'thanos' ? view.life.thanos : view.life.heroes,
      },
    ],
  }))
}
