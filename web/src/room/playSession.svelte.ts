// A game in play, or just over: what the table shows of it, whose turn it is, and sending actions to the server. The
// component draws it; features have parts of their own in it.

import { untrack, type Component } from 'svelte'
import type { Problem, Seat, Table, View } from '../api/protocol'
import type { TableSession } from '../api/session.svelte'
import { ownTables } from '../api/transport'
import { panels, playParts, type Ask, type FeaturePanel, type PlayPart } from '../features/atTable'
import { switchedOn, type Part } from '../features/registry.svelte'
import { KnownActions } from '../i18n/actions'
import { t } from '../i18n/language.svelte'
import { Sentences } from '../i18n/sentences'
import { afterPaint } from '../lib/paint'
import { botNumber, seatName } from '../lib/seats'
import { keepEqualParts } from '../lib/sharing'
import { play as sound } from '../sound/play'
import { gameName } from '../state/games.svelte'
import { Selection } from '../state/selection.svelte'
import { change, settings } from '../state/settings.svelte'
import type { GameUI } from '../table/GameUI'
import { Presentation } from '../table/presentation.svelte'
import type { Scene, SeatState } from '../table/scene'

/** Over the table, at the edge of the dock. */
export type Sheet = Component<{ play: PlaySession }>

/** One list for all times without a choice, so that the selection does not start anew. */
const NOTHING: readonly string[] = []

export class PlaySession {
  notice = $state.raw<{ text: string; rule: string | null } | null>(null)
  /** The name of the panel beside the table, and on a phone whether it is open. */
  panel = $state('log')
  isPanelOpen = $state(false)
  sheet = $state.raw<Sheet | null>(null)
  private opener: HTMLElement | null = null
  /** The seat that a spectator follows. */
  follow = $state<number | null>(null)
  /** The card about the game is open; `first`: it introduces the game. */
  help = $state<'first' | 'again' | null>(null)

  private readonly actions = new KnownActions()
  // An illegal action is sent to get the reason: the server refuses it with one, and nothing changes.
  readonly selection = new Selection(
    (action) => (this.choice ? this.choice.choose(action) : void this.move(action)),
    (action) => void this.move(action),
  )
  /** Events are shown one by one; the table shows the view that belongs to the last shown event. */
  readonly presentation = new Presentation({
    speed: () => settings.speed,
    sentence: (line) => (this.ui.quietEvents?.has(line.kind) ? '' : this.history.event(line)),
    timing: (line) => this.ui.timing?.(line) ?? null,
    during: (view, line) => this.ui.during?.(view, line) ?? view,
    after: (view, line) => this.ui.after?.(view, line) ?? view,
  })
  private readonly parts: readonly PlayPart[]

  constructor(
    readonly session: TableSession,
    readonly ui: GameUI,
  ) {
    const { table } = this
    if (table.you.seat !== null && table.phase !== 'ended' && !this.isIntroduced) {
      this.help = 'first'
      this.presentation.hold()
    }
    this.parts = switchedOn(playParts).map(({ part: Kind }) => new Kind(this))
  }

  /** Called while the table's component is set up: everything below ends with it. */
  start(): void {
    $effect.pre(() => {
      this.actions.learn(this.view.described)
      this.presentation.receive(this.session.log, this.view)
    })
    $effect.pre(() => {
      this.selection.isPlan = this.choice !== null
      this.selection.setLegal(this.canChoose ? (this.choice?.actions ?? this.view.legal) : NOTHING)
    })
    $effect(() => () => this.presentation.stop())
    $effect(() => {
      if (this.help) return
      this.presentation.release()
      if (!this.isIntroduced) change('introduced', [...settings.introduced, this.introduction])
    })
    // A game that was resigned or abandoned has no last move: for the table it is over all the same.
    $effect(() => {
      if (this.table.ending && this.table.ending.how !== 'played') this.presentation.skip()
    })
    // What was refused is past after a move, and when something else is chosen, or nothing.
    $effect(() => {
      const { selection, session } = this
      void [session.turn, selection.version, selection.selected, selection.unfinished]
      this.notice = null
    })
    $effect(() => {
      if (this.yours) sound('turn')
    })
    $effect(() => {
      const { seat, outcome } = this.view
      if (this.shownView.over) sound(seat !== null && outcome?.winners.includes(seat) ? 'win' : 'loss')
    })
    $effect(() => this.showTitle())
    for (const part of this.parts) part.start?.()
  }

  get table(): Table {
    return this.session.table!
  }

  /** The newest one, whatever the table still shows. */
  get view(): View {
    return this.session.view!
  }

  /** A feature's own part, by its class. */
  part<Kind extends PlayPart>(kind: abstract new (...args: never[]) => Kind): Kind {
    return this.parts.find((part) => part instanceof kind) as Kind
  }

  /** The game, and the viewer's side where sides win differently: each is introduced once. */
  private readonly introduction = $derived.by(() => {
    const side = this.ui.side?.(this.view)
    return side ? `${this.table.game}/${side}` : this.table.game
  })
  private readonly isIntroduced = $derived.by(() => settings.introduced.includes(this.introduction))
  private readonly mine = $derived.by(() =>
    this.table.you.seat === null ? null : (this.table.seats[this.table.you.seat] ?? null),
  )
  readonly resigned = $derived.by(() => this.mine?.resigned ?? false)
  /** Who has resigned, or is away, looks on while a bot decides. */
  readonly decides = $derived.by(() => this.mine !== null && !this.resigned && !this.mine.stand_in)
  readonly hasOthers = $derived.by(() =>
    this.table.seats.some((seat) => seat.kind === 'person' && seat.seat !== this.table.you.seat),
  )
  /** Several people look at this screen, one after the other: nobody is meant by "you" in what happened. */
  readonly isPassedAround = $derived.by(() => !!ownTables(this.session.id)?.curtain?.(this.session.id))
  /** The seat of the one who looks; null: nobody's, or everybody's. */
  readonly you = $derived.by(() => (this.isPassedAround ? null : this.table.you.seat))
  readonly won = $derived.by(() => this.you !== null && (this.table.ending?.winners.includes(this.you) ?? false))

  // The table is sent often; the sentences change only with the names.
  private readonly names = $derived.by(() => JSON.stringify(this.table.seats.map(seatName)))
  private readonly viewer = $derived.by(() => (this.resigned ? null : this.table.you.seat))
  readonly sentences = $derived.by(() => this.sentencesFor(this.viewer))
  /** Of what happened. */
  readonly history = $derived.by(() => (this.isPassedAround ? this.sentencesFor(null) : this.sentences))

  private sentencesFor(viewer: number | null): Sentences {
    const names = JSON.parse(this.names) as string[]
    return new Sentences(this.table.game, names, viewer, this.actions, this.ui.describeAction)
  }

  readonly ended = $derived.by(() => this.table.phase === 'ended' && !this.presentation.busy)
  readonly shownView = $derived.by<View>(() => {
    const now = this.presentation.view ?? this.view
    return this.ended ? { ...now, over: true, legal: [], to_act: null } : now
  })
  private readonly shownLog = $derived.by(() => this.session.log.slice(0, this.presentation.shown))

  /** The viewer is asked, and sees it. */
  readonly yours = $derived.by(
    () => this.decides && !this.presentation.busy && !this.shownView.over && this.view.to_act === this.view.seat,
  )
  /** The server waits for this player, whatever the table still shows. */
  readonly due = $derived.by(
    () => this.decides && this.table.phase === 'playing' && this.view.to_act === this.view.seat,
  )
  private readonly canChoose = $derived.by(
    () =>
      this.decides && this.session.connection === 'open' && this.table.phase === 'playing' && !this.presentation.busy,
  )

  // The clock is another one after every move: a seat that is as it was stays the same object, and is not drawn again.
  private lastSeats: readonly SeatState[] = []
  private readonly seats = $derived.by(
    () =>
      (this.lastSeats = keepEqualParts(
        this.lastSeats,
        this.table.seats.map((seat) => this.stateOf(seat)),
      )),
  )

  private stateOf(seat: Seat): SeatState {
    const { clock } = this.session
    // A bot that stands in has no clock.
    const hasClock = clock?.seat === seat.seat && !seat.stand_in && !seat.resigned
    return Object.assign(
      {
        name: seatName(seat),
        level: seat.level,
        bot: seat.kind === 'bot' ? botNumber(seat) : null,
        program: seat.program,
        online: seat.online || seat.kind === 'bot',
        standIn: seat.stand_in || seat.resigned,
        avatar: seat.avatar,
        deadline: hasClock ? clock.at + clock.ms_left : null,
      },
      ...this.parts.map((part) => part.seat?.(seat)),
    ) as SeatState
  }

  /** One object with getters: a drawing depends on what it reads and not on the rest, so a new view draws only what differs. */
  readonly scene: Scene = this.makeScene()

  private makeScene(): Scene {
    const read = {
      view: () => this.shownView,
      log: () => this.shownLog,
      firstNewLine: () => this.presentation.firstNewLine,
      telling: () => this.presentation.telling,
      sentences: () => this.sentences,
      notes: () => this.first((part) => part.notes),
      follow: () => this.follow,
      seats: () => this.seats,
      marks: () => this.suggestion?.about ?? null,
    }
    return Object.defineProperties(
      {},
      Object.fromEntries(Object.entries(read).map(([name, get]) => [name, { get, enumerable: true }])),
    ) as Scene
  }

  private first<Answer>(ask: (part: PlayPart) => Answer | null | undefined): Answer | null {
    for (const part of this.parts) {
      const answer = ask(part)
      if (answer != null) return answer
    }
    return null
  }

  /** Something else than what is asked now is chosen on the board. */
  readonly choice = $derived.by(() => this.first((part) => part.choice))

  get suggestion() {
    return this.first((part) => part.suggestion)
  }

  /** Shows what the viewer knows for certain, and returns it as sentences; null: nothing says so. */
  get facts(): (() => readonly string[]) | null {
    if (this.table.you.seat === null) return null
    return this.first((part) => (part.facts ? () => part.facts!() : null))
  }

  /** The panels of features that this viewer has. */
  readonly panels = $derived.by<readonly Part<FeaturePanel>[]>(() =>
    switchedOn(panels).filter(({ part }) => part.forSpectators || this.table.you.seat !== null),
  )

  showPanel(name: string): void {
    this.panel = name
    this.isPanelOpen = true
  }

  toggleSheet(sheet: Sheet, event: Event): void {
    this.opener = event.currentTarget as HTMLElement
    this.sheet = this.sheet === sheet ? null : sheet
  }

  /** Closes the sheet by the keyboard: the focus returns to what opened it. */
  escape(): void {
    if (!this.sheet) return
    this.sheet = null
    this.opener?.focus()
  }

  readonly title = $derived.by(
    () => `${this.due ? `● ${t('turn.yours')} · ` : ''}${gameName(this.table.game)} · Tavolino`,
  )

  /** The title is sent to another process of the browser, so the table is painted first. A hidden page is not painted. */
  private showTitle(): (() => void) | undefined {
    const words = this.title
    const show = () => (document.title = words)
    if (!document.hidden) return afterPaint(show)
    show()
    return undefined
  }

  private async move(action: string): Promise<void> {
    this.selection.sending = true
    this.notice = null
    try {
      await this.session.send({ type: 'move', turn: this.session.turn, action })
    } catch (problem) {
      this.explain(problem as Problem)
    } finally {
      this.selection.sending = false
    }
  }

  private explain(problem: Problem): void {
    this.notice = { text: untrack(() => this.sentences).refusal(problem), rule: problem.rule }
  }

  readonly ask: Ask = (command) => this.session.send(command).catch((problem: Problem) => this.explain(problem))
}
