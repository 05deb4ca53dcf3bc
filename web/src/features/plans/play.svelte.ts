import type { Plan } from '../../api/protocol'
import { t } from '../../i18n/language.svelte'
import type { PlaySession } from '../../room/playSession.svelte'
import type { Choice, PlayPart } from '../atTable'

const NONE: Plan = { moves: [], orders: [], forced: false, dropped: false }

export default class Plans implements PlayPart {
  /** The move is chosen on the board. */
  private isOnBoard = $state(false)
  /** What could be planned next. */
  offers = $state.raw<readonly string[]>([])

  constructor(private readonly play: PlaySession) {}

  /** With other people at the table one can decide in advance; bots do not keep anybody waiting. */
  get canPlan(): boolean {
    const { play } = this
    return play.decides && play.table.phase === 'playing' && !play.due && play.hasOthers
  }

  get plan(): Plan {
    return this.play.table.you.plan ?? NONE
  }

  get choice(): Choice | null {
    if (!this.isOnBoard || !this.canPlan) return null
    return {
      actions: this.offers,
      question: t('ahead.question'),
      choose: (action) => {
        this.isOnBoard = false
        void this.set({ moves: [...this.plan.moves, action] })
      },
    }
  }

  start(): void {
    $effect(() => {
      if (this.plan.dropped) this.play.notice = { text: t('ahead.dropped'), rule: null }
    })
    $effect(() => {
      if (!this.canPlan) this.isOnBoard = false
    })
  }

  set(change: Partial<Plan>): Promise<unknown> {
    const { moves, orders, forced } = { ...this.plan, ...change }
    return this.play.ask({ type: 'plan', moves, orders, forced })
  }

  chooseOnBoard(isOn: boolean): void {
    this.isOnBoard = isOn
    if (isOn) this.play.sheet = null
  }
}
