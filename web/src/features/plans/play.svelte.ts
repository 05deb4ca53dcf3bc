import { t } from '../../i18n/language.svelte'
import type { PlaySession } from '../../room/playSession.svelte'
import type { PlayPart } from '../atTable'

export default class Plans implements PlayPart {
  constructor(private readonly play: PlaySession) {}

  /** With other people at the table one can decide in advance; bots do not keep anybody waiting. */
  get canPlan(): boolean {
    const { play } = this
    return play.decides && play.table.phase === 'playing' && !play.due && play.hasOthers
  }

  start(): void {
    $effect(() => {
      if (this.play.table.you.plan?.dropped) this.play.notice = { text: t('ahead.dropped'), rule: null }
    })
  }
}
