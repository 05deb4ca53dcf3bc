// The features of the page, and which of them are switched on at this server.

import { request } from '../api/http'
import { ownTables } from '../api/transport'
import type { Game, OutsideFeature, ServerFeatures, Table } from '../api/protocol'
import type { FeatureUI } from './feature'

/** The folder of a file. */
const nameOf = (path: string) => path.split('/').at(-2)!

const found = Object.entries(import.meta.glob<FeatureUI>('../features/*/index.ts', { eager: true, import: 'default' }))
  .map(([path, feature]) => ({ name: nameOf(path), feature }))
  .sort((one, other) => one.feature.order - other.feature.order)
const everywhere = new Set(found.filter(({ feature }) => feature.everywhere).map(({ name }) => name))
const order = new Map(found.map(({ name }, n) => [name, n]))

/** Null: the server has not said, or it has no list; then all are on. */
let listed = $state.raw<ServerFeatures | null>(null)
let isKnown = $state(false)
/** Those that the table on this page has; null: there is no table, or it is at the server. */
let ofTable = $state.raw<readonly string[] | null>(null)

export const features = {
  /** Whether the server has answered: until then a page of a feature is not shown. */
  get known(): boolean {
    return isKnown
  },
  isOn(name: string): boolean {
    return (!listed || listed.features.includes(name)) && (!ofTable || ofTable.includes(name) || everywhere.has(name))
  },
  /** Those of separate packages, with a module for the page. */
  get outside(): readonly OutsideFeature[] {
    return ofTable ? [] : (listed?.outside_features ?? [])
  },
}

export async function loadFeatures(): Promise<void> {
  listed = await request<ServerFeatures>('GET', '/api/features').catch(() => null)
  isKnown = true
}

/** For a page with a table: tables elsewhere than at the server have features of their own. */
export function showFeaturesOf(table: unknown): void {
  ofTable = typeof table === 'string' ? (ownTables(table)?.features ?? null) : null
}

/** For tests. */
export function setFeatures(list: ServerFeatures | null): void {
  listed = list
  isKnown = true
}

/** All pages of features, switched on or not. */
export const featurePages = found.flatMap(({ name, feature }) =>
  (feature.pages ?? []).map((page) => ({ feature: name, page })),
)

export interface Part<Kind> {
  feature: string
  part: Kind
}

/** What was found in the features' folders (`import.meta.glob`), in the order of the features. */
export function inOrder<Kind>(files: Record<string, Kind>): readonly Part<Kind>[] {
  return Object.entries(files)
    .map(([path, part]) => ({ feature: nameOf(path), part }))
    .sort((one, other) => (order.get(one.feature) ?? 0) - (order.get(other.feature) ?? 0))
}

/** Those of these parts whose features are switched on. */
export const switchedOn = <Kind>(parts: readonly Part<Kind>[]): readonly Part<Kind>[] =>
  parts.filter(({ feature }) => features.isOn(feature))

function first<Answer>(ask: (feature: FeatureUI) => Answer | null | undefined): Answer | null {
  for (const { name, feature } of found) {
    const answer = features.isOn(name) ? ask(feature) : null
    if (answer != null) return answer
  }
  return null
}

/** The address of a lesson in a game. */
export const lessonOf = (game: Game | undefined): string | null =>
  game ? first((feature) => feature.lesson?.(game)) : null

/** The address where a finished game is compared with those of others. */
export const comparisonOf = (table: Table): string | null => first((feature) => feature.afterGame?.(table))
