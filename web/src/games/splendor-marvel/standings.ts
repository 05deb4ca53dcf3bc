import { t } from '../../i18n/language.svelte'
import type { Standing } from '../../table/standings'
import { cards, locations } from './parts'
import type { View } from './view'

/** Points in parts: characters, locations, the tile. The parts are printed on them; the sum is the view's. */
export function standings(view: View): Standing[] {
  return view.seats.map((place, seat) => ({
    seat,
    points: place.points,
    parts: [
      { label: t('splendor-marvel.table.goal.points'), value: place.points },
      {
        label: t('splendor-marvel.standing.cards'),
        value: place.cards.reduce((sum, card) => sum + (cards[card]?.points ?? 0), 0),
      },
      {
        label: t('splendor-marvel.standing.locations'),
        value: place.locations.reduce((sum, location) => sum + (locations[location]?.points ?? 0), 0),
      },
      { label: t('splendor-marvel.standing.tile'), value: view.avengers_tile === seat ? view.tile.points : 0 },
      { label: t('splendor-marvel.table.goal.colours'), value: `${place.gauntlet.colours}/${view.goal.colours}` },
      { label: t('splendor-marvel.table.goal.green'), value: t(place.gauntlet.green ? 'yes' : 'no') },
    ],
  }))
}
