// Views recorded from the engine (tests/browser/record_views.py), drawn as the page draws them.
import { render } from '@testing-library/svelte'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Line, View } from '../src/api/protocol'
import { KnownActions } from '../src/i18n/actions'
import { Sentences } from '../src/i18n/sentences'
import { Selection } from '../src/state/selection.svelte'
import type { GameUI } from '../src/table/GameUI'
import type { Scene } from '../src/table/scene'
import TestTable from './TestTable.svelte'

export type Recorded = View & { log: Line[] }
export type Moment = { seat: Recorded; spectator: Recorded; notebook?: Record<string, unknown> }

export const names = ['Ann', 'Bo', 'Cy', 'Di']

export const recorded = (game: string) =>
  JSON.parse(readFileSync(join(import.meta.dirname, 'recorded', `${game}.json`), 'utf8')) as Moment[]

export function draw(
  ui: GameUI,
  view: Recorded,
  notebook?: Record<string, unknown>,
  marks?: Record<string, unknown[]>,
  telling?: Line,
) {
  const sent: string[] = []
  /** Actions whose refusal was asked for. */
  const asked: string[] = []
  const selection = new Selection(
    (action) => sent.push(action),
    (action) => asked.push(action),
  )
  selection.setLegal(view.legal)
  const scene: Scene = {
    view,
    log: view.log,
    firstNewLine: 0,
    notes: notebook,
    marks,
    telling,
    sentences: new Sentences(view.game, names, view.seat, new KnownActions(view.described), ui.describeAction),
    seats: names
      .slice(0, view.players)
      .map((name) => ({ name, level: null, online: true, standIn: false, deadline: null })),
  }
  const timingOf = telling ? () => ({ time: 2000, captionAfter: 1000 }) : null
  const drawn = render(TestTable, { ui, scene, selection, notebook: notebook ?? null, timingOf })
  return { ...drawn, selection, scene, sent, asked }
}

/** Everything that is read on a page: its text and its labels. */
export function wordsOf(container: HTMLElement): string {
  const labels = [...container.querySelectorAll('[aria-label]')].map((element) => element.getAttribute('aria-label')!)
  return [container.textContent ?? '', ...labels].join('\n')
}
