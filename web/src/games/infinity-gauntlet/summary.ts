// What a side did together, from what everybody could see.

import type { Line } from '../../api/protocol'
import { t } from '../../i18n/language.svelte'
import type { Summary } from '../../table/standings'
import type { View } from './view'

/** One summary for each side that the viewer belongs to; a spectator reads both. */
export function summaries(view: View, log: readonly Line[]): Summary[] {
  const sides = view.seat === null ? (['hero', 'thanos'] as const) : [view.seats[view.seat]!.role]
  return sides.map((role) => ({ title: t(`infinity-gauntlet.summary.${role}`), lines: lines(view, log, role) }))
}

function lines(view: View, log: readonly Line[], role: string): string[] {
  const isOurs = (seat: unknown) => view.seats[Number(seat)]?.role === role
  const fights = log.filter((line) => line.kind === 'fight')
  // A fight is won or lost by its hero.
  const won = fights.filter((line) => line.how === (role === 'hero' ? 'won' : 'lost')).length
  const tied = fights.filter((line) => line.how === 'tie').length
  const guesses = log.filter((line) => line.kind === 'guessed' && isOurs(line.seat))
  const defeated = log.filter((line) => line.kind === 'defeated')
  const lost = defeated.filter((line) => isOurs(line.seat)).length
  return [
    t('infinity-gauntlet.summary.fights', { won, tied, lost: fights.length - won - tied }),
    ...(guesses.length
      ? [
          t('infinity-gauntlet.summary.guesses', {
            right: guesses.filter((line) => line.how === 'right').length,
            n: guesses.length,
          }),
        ]
      : []),
    t('infinity-gauntlet.summary.cards', { n: defeated.length - lost, lost }),
  ]
}
