import { t } from '../../i18n/language.svelte'
import type { Standing } from '../../table/standings'
import type { View } from './view'

export function standings(view: View): Standing[] {
  return view.seats.map(({ score, tank }, seat) => ({
    seat,
    points: score,
    parts: [
      { label: t('mantis.standing.score'), value: score },
      { label: t('mantis.standing.tank'), value: Object.values(tank).reduce((sum, n) => sum + n, 0) },
    ],
  }))
}
