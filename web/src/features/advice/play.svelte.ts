import { untrack } from 'svelte'
import { t } from '../../i18n/language.svelte'
import type { PlaySession } from '../../room/playSession.svelte'
import { change, settings } from '../../state/settings.svelte'
import type { Suggestion } from '../../table/Suggestion.svelte'
import type { PlayPart } from '../atTable'
import { hintText } from './hint'
import AdviceMessages from './session.svelte'

/** Asks for hints and for the notebook, and shows them when the table is as far as they are. */
export default class Advice implements PlayPart {
  thinking = $state(false)
  /** The notebook is shown with the view that it belongs to, after the events before it. */
  notebook = $state.raw<Record<string, unknown> | null>(null)
  private readonly heard: AdviceMessages

  constructor(private readonly play: PlaySession) {
    this.heard = play.session.part(AdviceMessages)
  }

  start(): void {
    const { play, heard } = this
    $effect(() => {
      void play.session.turn
      this.thinking = false
      if (this.wantsNotebook && play.session.connection === 'open')
        play.session.send({ type: 'notebook' }).catch(() => undefined)
    })
    $effect.pre(() => {
      if (!play.presentation.busy && heard.notebook?.turn === play.session.turn) this.notebook = heard.notebook.notebook
    })
    // A hint selects its action; one tap on the confirm button plays it.
    $effect(() => {
      const { hint } = heard
      if (hint && play.yours) untrack(() => play.selection.propose(hint.action))
    })
  }

  private get wantsNotebook(): boolean {
    const { table, ui } = this.play
    return (
      table.you.seat !== null && table.phase === 'playing' && (settings.notebook || this.showsEvidence(ui.usesNotebook))
    )
  }

  private showsEvidence(isUsed = false): boolean {
    return isUsed && settings.evidence !== 'none'
  }

  /** What the board shows of the notebook. */
  get notes(): Record<string, unknown> | null {
    return settings.evidence === 'all' || (settings.evidence === 'mine' && this.play.yours) ? this.notebook : null
  }

  get suggestion(): Suggestion | null {
    const { table, sentences } = this.play
    if (this.thinking) return { text: t(table.readiness.hints ? 'hint.thinking' : 'hint.preparing'), action: null }
    const { hint } = this.heard
    return hint && { text: hintText(hint, sentences), action: hint.action, about: hint.reasons[0]?.about }
  }

  async ask(): Promise<void> {
    this.thinking = true
    await this.play.ask({ type: 'hint' })
    this.thinking = false
  }

  facts(): readonly string[] {
    const { play } = this
    change('notebook', true)
    play.showPanel('advice')
    if (!this.notebook) return [t('notebook.waiting')]
    const known = play.ui.speech?.known(this.notebook, play.sentences, play.view.seat) ?? []
    return known.length ? known : [t('notebook.nothing')]
  }
}
