// What features show and do at a table. Each component gets the session; nothing here names a feature.

import type { Component } from 'svelte'
import type { Seat, Table } from '../api/protocol'
import type { TableSession } from '../api/session.svelte'
import type { Sentences } from '../i18n/sentences'
import type { PlaySession } from '../room/playSession.svelte'
import type { GameUI } from '../table/GameUI'
import type { SeatState } from '../table/scene'
import type { Suggestion } from '../table/Suggestion.svelte'
import type { SignName } from '../ui/signs'
import { inOrder } from './registry.svelte'

/** Sends a command; a refusal is shown to the person. In the waiting room it resolves to false then. */
export type Ask = (command: Parameters<TableSession['send']>[0]) => Promise<unknown>

/** Actions of which one is chosen on the board for another purpose than to play it now. */
export interface Choice {
  actions: readonly string[]
  /** The sentence that asks for it. */
  question: string
  choose: (action: string) => void
}

/** A feature's part of a game in play. Its class is the default export of the feature's play.svelte.ts. */
export interface PlayPart {
  /** Called while the table's component is set up: for effects. */
  start?(): void
  /** What it adds to what is drawn at a seat. */
  seat?(seat: Seat): Partial<SeatState>
  /** What the viewer can deduce, for the drawing. */
  readonly notes?: Record<string, unknown> | null
  /** An action that is proposed to the viewer. */
  readonly suggestion?: Suggestion | null
  /** Instead of what is asked now: actions to choose among, on the board. */
  readonly choice?: Choice | null
  /** Shows what the viewer knows for certain, and returns it as sentences. */
  facts?: () => readonly string[]
}

/** What a panel gets; in a waiting room there is no drawing yet. */
export interface PanelContext {
  session: TableSession
  table: Table
  ui?: GameUI
  sentences?: Sentences
  ask: Ask
}

/** A panel beside the table: the default export of a feature's panel.ts. */
export interface FeaturePanel {
  /** The key of its heading. */
  label: string
  sign: SignName
  /** Spectators have it, too, and who watches a finished game. */
  forSpectators: boolean
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- a panel for players alone gets the whole session
  Panel: Component<{ play: any }>
  /** Something is new there. */
  isUnread?: (session: TableSession) => boolean
}

type TableComponent = Component<{ play: PlaySession }>

export const playParts = inOrder(
  import.meta.glob<new (play: PlaySession) => PlayPart>('../features/*/play.svelte.ts', {
    eager: true,
    import: 'default',
  }),
)
export const panels = inOrder(
  import.meta.glob<FeaturePanel>('../features/*/panel.ts', { eager: true, import: 'default' }),
)
export const tableTools = inOrder(
  import.meta.glob<TableComponent>('../features/*/TableTool.svelte', { eager: true, import: 'default' }),
)
export const tableNotices = inOrder(
  import.meta.glob<TableComponent>('../features/*/TableNotice.svelte', { eager: true, import: 'default' }),
)
export const menuTops = inOrder(
  import.meta.glob<TableComponent>('../features/*/MenuTop.svelte', { eager: true, import: 'default' }),
)
export const menuSettings = inOrder(
  import.meta.glob<TableComponent>('../features/*/MenuSetting.svelte', { eager: true, import: 'default' }),
)
export const menuActions = inOrder(
  import.meta.glob<TableComponent>('../features/*/MenuAction.svelte', { eager: true, import: 'default' }),
)
export const afterResults = inOrder(
  import.meta.glob<TableComponent>('../features/*/AfterResult.svelte', { eager: true, import: 'default' }),
)
export const afterButtons = inOrder(
  import.meta.glob<Component<{ play: PlaySession; isMain: boolean }>>('../features/*/AfterButton.svelte', {
    eager: true,
    import: 'default',
  }),
)
export const afterParts = inOrder(
  import.meta.glob<TableComponent>('../features/*/AfterPart.svelte', { eager: true, import: 'default' }),
)
export const afterNotes = inOrder(
  import.meta.glob<TableComponent>('../features/*/AfterNote.svelte', { eager: true, import: 'default' }),
)
export const afterLinks = inOrder(
  import.meta.glob<TableComponent>('../features/*/AfterLink.svelte', { eager: true, import: 'default' }),
)
