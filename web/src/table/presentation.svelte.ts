// The queue between the messages of the server and the table. Events are shown one after the other, at the speed that the
// player chose; the table follows them, as far as the game's drawing can tell, and then changes to the next view. Nothing is
// lost: skipped events are in the log.

import { untrack } from 'svelte'
import type { Line, View } from '../api/protocol'
import type { Speed } from '../state/settings.svelte'

/** The timing of an event, in milliseconds at normal speed. */
export interface Timing {
  time: number
  /** After how long its cards start to move. */
  moveAfter?: number
  /** After how long its sentence is shown: not before the table shows what it says. */
  captionAfter?: number
}

/** One message of the server: the lines that came with a view, and the views before and after. */
interface Step {
  before: View
  after: View
  from: number
  lines: readonly Line[]
}

/** A step to show, or a line to show again. */
type Job = { step: Step; again: Line | null }

/** The factor of each speed. At `instant` no event is shown; at `wait` the player continues with a button. */
export const FACTOR: Record<Speed, number> = { slow: 1.8, normal: 1, fast: 0.45, wait: 1, instant: 0 }
/** The default duration of an event: a base, and time to read each letter. */
const SHORTEST = 600
const LONGEST = 2200
const PER_LETTER = 16
/** How long the old table stays after an event that is shown again. */
const LOOK_AROUND = 1200
/** The longest duration of the whole queue, at normal speed: a long queue is shown faster, so that a player whom the server
 *  waits for does not see a table that is far behind. */
const LONGEST_QUEUE = 15_000
/** The end of the game is told over the table that has led to it: nobody wins with 7 points of 10. */
const OVER = 'over'
/** How many steps can be shown again. */
const KEPT = 100

interface Options {
  speed: () => Speed
  /** The sentence of a line; '' for a line that is not shown. */
  sentence: (line: Line) => string
  timing?: (line: Line) => Timing | null
  /** The table while an event is told, and after it; without them it stays as it was until the next view. */
  during?: (view: View, line: Line) => View
  after?: (view: View, line: Line) => View
}

export class Presentation {
  /** What the table shows. */
  view = $state.raw<View | null>(null)
  /** How many lines of the log are told. */
  shown = $state(0)
  /** Index of the first line that came with the shown view. */
  firstNewLine = $state(0)
  /** The event that is being shown; the table is still as it was before it, but for what its sentence says. */
  telling = $state.raw<Line | null>(null)
  /** At the speed `wait`: until the player goes on. */
  waiting = $state(false)
  /** An event is being shown, or the queue is not empty. */
  busy = $state(false)

  private received = -1
  private latest: View | null = null
  private jobs: Job[] = []
  /** The steps that can be shown again, and the step of each of their lines. */
  private history: Step[] = []
  private readonly stepOf = new WeakMap<Line, Step>()
  /** How many steps can no longer be shown again: what is shown of a line changes with this, and not with every step. */
  private dropped = $state(0)
  private wake: (() => void) | null = null
  private skipping = false
  private running = false
  private isHeld = false
  private stopped = false
  /** Increases when the table restarts from a view, which cancels the event that was being shown. */
  private generation = 0
  /** The factor by which durations of a long queue are shortened: 1 or less. */
  private haste = 1

  constructor(private readonly options: Options) {}

  /** Called from effects that depend on the log and the view. Its own reads are untracked. */
  receive(log: readonly Line[], view: View): void {
    untrack(() => {
      if (view === this.latest) return
      const before = this.latest
      const from = this.received
      this.latest = view
      this.received = log.length
      if (before === null || from > log.length) {
        this.startAnew(view, log.length)
        return
      }
      const step: Step = { before, after: view, from, lines: log.slice(from) }
      this.keep(step)
      const isAtOnce = !this.factor || document.hidden
      if (isAtOnce && !this.busy) {
        this.show(view, log.length, from)
        return
      }
      this.jobs.push({ step, again: null })
      if (isAtOnce) this.skip()
      if (this.isHeld) this.busy = true
      else if (!this.running) void this.run()
    })
  }

  /** Shows a view at once, as if the table had just been opened: what comes next is compared with it. */
  restart(view: View, lines: number): void {
    untrack(() => {
      this.latest = view
      this.received = lines
      this.startAnew(view, lines)
    })
  }

  private keep(step: Step): void {
    this.history.push(step)
    for (const line of step.lines) this.stepOf.set(line, step)
    if (this.history.length <= KEPT) return
    for (const line of this.history.shift()!.lines) this.stepOf.delete(line)
    this.dropped += 1
  }

  canShowAgain(line: Line): boolean {
    return this.dropped >= 0 && this.factor > 0 && this.stepOf.has(line)
  }

  /** Shows an event again: the table as it was, the event, what came of it; then the table as it is. */
  again(line: Line): void {
    const step = this.stepOf.get(line)
    if (!step || this.busy) return
    this.jobs.push({ step, again: line })
    void this.run()
  }

  /** Skips the rest of the queue. */
  skip(): void {
    this.skipping = true
    this.wake?.()
  }

  /** At the speed `wait`: the next step. */
  next(): void {
    this.waiting = false
    this.wake?.()
  }

  /** Pauses until `release`, while the reader reads the introduction of the game. */
  hold(): void {
    this.isHeld = true
  }

  release(): void {
    this.isHeld = false
    if (this.jobs.length && !this.running) void this.run()
  }

  stop(): void {
    this.stopped = true
    this.wake?.()
  }

  /** How long this line is shown, at the chosen speed. */
  timingOf(line: Line): Timing {
    const letters = this.options.sentence(line).length
    if (!letters || !this.factor) return { time: 0 }
    const usual: Timing = { time: Math.min(LONGEST, SHORTEST + PER_LETTER * letters) }
    const { time, moveAfter = 0, captionAfter = 0 } = this.options.timing?.(line) ?? usual
    return {
      time: time * this.factor * this.haste,
      moveAfter: moveAfter * this.factor * this.haste,
      captionAfter: captionAfter * this.factor * this.haste,
    }
  }

  private get factor(): number {
    return FACTOR[this.options.speed()]
  }

  private async run(): Promise<void> {
    this.busy = true
    this.running = true
    this.haste = 1
    try {
      for (let job = this.jobs.shift(); job && !this.stopped; job = this.jobs.shift()) {
        if (job.again) await this.showAgain(job.step, job.again)
        else await this.showStep(job.step)
      }
    } catch (problem) {
      // An error in a text must not stop the queue.
      console.error(problem)
      if (this.latest) this.startAnew(this.latest, this.received)
    }
    this.skipping = false
    this.running = false
    this.busy = false
  }

  /** Shows a view at once, and drops the queue. */
  private startAnew(view: View, lines: number): void {
    this.generation += 1
    this.jobs = []
    this.telling = null
    this.show(view, lines, lines)
    if (this.running) this.wake?.()
    else this.busy = false
  }

  private async showStep(step: Step): Promise<void> {
    const { generation } = this
    let isTold = false
    for (const [i, line] of step.lines.entries()) {
      this.hurry(step.lines.slice(i))
      if (line.kind === OVER) this.view = { ...step.after, over: step.before.over, legal: [] }
      const isLineTold = await this.tell(line)
      if (generation !== this.generation) return
      this.follow(line)
      this.shown = step.from + i + 1
      isTold ||= isLineTold
      // The table is drawn in a task of its own, before the next event: slow devices stay responsive.
      if (isLineTold) await new Promise((done) => setTimeout(done))
      if (generation !== this.generation) return
    }
    this.telling = null
    const isOwn = step.before.seat !== null && step.before.to_act === step.before.seat
    this.show(step.after, step.from + step.lines.length, step.from)
    if (isTold && !isOwn && this.options.speed() === 'wait' && !this.skipping) await this.pause(null)
  }

  private async showAgain(step: Step, line: Line): Promise<void> {
    const { view, shown, firstNewLine, generation } = this
    this.view = step.before
    for (const earlier of step.lines.slice(0, step.lines.indexOf(line))) this.follow(earlier)
    await this.tell(line)
    if (generation !== this.generation) return
    this.telling = null
    this.view = step.after
    await this.pause(LOOK_AROUND)
    if (generation !== this.generation) return
    if (view) this.view = view
    this.shown = shown
    this.firstNewLine = firstNewLine
  }

  /** Shows these lines and the rest of the queue faster if there are many, except at the speed `wait`. */
  private hurry(lines: readonly Line[]): void {
    if (this.options.speed() === 'wait') return
    const waiting = this.jobs.flatMap(({ step, again }) => (again ? [] : step.lines))
    const time = [...lines, ...waiting].reduce((sum, line) => sum + this.timingOf(line).time, 0)
    const longest = LONGEST_QUEUE * this.factor
    if (time > longest) this.haste *= longest / time
  }

  private async tell(line: Line): Promise<boolean> {
    const { time } = this.timingOf(line)
    if (!time || this.skipping) return false
    const { during } = this.options
    if (during && this.view) this.view = during(this.view, line)
    this.telling = line
    await this.pause(time)
    return true
  }

  private follow(line: Line): void {
    const { after } = this.options
    if (after && this.view && line.kind !== OVER) this.view = after(this.view, line)
  }

  private show(view: View, lines: number, firstNewLine: number): void {
    this.view = view
    this.shown = lines
    this.firstNewLine = firstNewLine
  }

  /** Waits; null: until the player continues. */
  private async pause(milliseconds: number | null): Promise<void> {
    if (this.skipping || this.stopped) return
    this.waiting = milliseconds === null
    await new Promise<void>((done) => {
      const timer = milliseconds === null ? undefined : setTimeout(done, milliseconds)
      this.wake = () => {
        clearTimeout(timer)
        done()
      }
    })
    this.wake = null
    this.waiting = false
  }
}
