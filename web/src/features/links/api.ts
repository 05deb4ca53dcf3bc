// As src/tavolino/local/opening_links.py has it.
import { api as tablesApi, read, request } from '../../api/http'
import type { Position, Solution } from '../../api/protocol'
import { outer } from '../../lib/site'
import { settings } from '../../state/settings.svelte'
import { tables } from '../local_tables/tables'

/** The address of a page; or a puzzle. */
interface Opened {
  address: string | null
  puzzle: Position | null
}

/** How a game is shown. To play on, it ends at the move. */
export interface Shown {
  show: 'replay' | 'review' | 'play'
  /** Null: with all cards open. */
  seat: number | null
  move: number | null
}

const ask = async <Answer>(path: string, body: object) =>
  read<Answer>(await tables.request('POST', `/api/links${path}`, JSON.stringify(body)))

const leadingTo = ({ link }: { link: string }) => `${location.origin}${outer('/link')}#${link}`

export const api = {
  toGame: async (table: string, shown: Shown) =>
    leadingTo(await ask('', { record: await request('GET', tablesApi.recordAddress(table)), ...shown })),
  toPuzzle: async (game: string, id: string) => leadingTo(await ask('/puzzle', { game, id })),
  open: (link: string) => ask<Opened>('/open', { link, level: settings.level }),
  try: (link: string, action: string) => ask<Solution>('/try', { link, action: { action } }),
}
