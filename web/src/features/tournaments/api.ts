import { request } from '../../api/http'
import type { Entrant, Table, Tournament, TournamentCard, TournamentDeal } from '../../api/protocol'

const at = (id: string) => `/api/tournaments/${encodeURIComponent(id)}`

export const api = {
  tournaments: () => request<TournamentCard[]>('GET', '/api/tournaments'),
  tournament: (id: string) => request<Tournament>('GET', at(id)),
  deal: (id: string, number: number) => request<TournamentDeal>('GET', `${at(id)}/deals/${number}`),
  enter: (id: string) => request<Tournament>('POST', `${at(id)}/enter`),
  play: (id: string) => request<Table>('POST', `${at(id)}/play`),
}

/** What entrants are called, by their numbers: the name, with the number where several have that name. */
export function entrantNames(standings: Pick<Entrant, 'number' | 'name'>[], forgotten: string): Map<number, string> {
  const names = standings.map(({ name }) => name ?? forgotten)
  const isShared = (name: string) => names.indexOf(name) !== names.lastIndexOf(name)
  return new Map(
    standings.map(({ number }, n) => {
      const name = names[n] ?? forgotten
      return [number, isShared(name) ? `${name} (${number})` : name]
    }),
  )
}

/** The tournament of a table; null: the table belongs to none. */
export function tournamentOf({ features }: Pick<Table, 'features'>): string | null {
  const part = features.tournaments as { tournament: string } | undefined
  return part?.tournament ?? null
}
