// Shows frames of a finished game or a lesson: the next ones event by event, as at a table; any other at once.

import type { Frame, Line } from '../api/protocol'
import { settings, type Speed } from '../state/settings.svelte'
import type { GameUI } from '../table/GameUI'
import { Presentation } from '../table/presentation.svelte'
import type { Scene } from '../table/scene'

interface Options {
  ui: () => GameUI | null
  sentence: (line: Line) => string
  /** The speed, unless events are not shown one by one at all. */
  speed?: () => Speed
}

export class FramePlayer {
  readonly presentation: Presentation
  private last: { frames: readonly Frame[]; at: number } | null = null

  constructor(options: Options) {
    this.presentation = new Presentation({
      speed: () => (settings.speed === 'instant' ? 'instant' : (options.speed?.() ?? settings.speed)),
      sentence: (line) => (options.ui()?.quietEvents?.has(line.kind) ? '' : options.sentence(line)),
      timing: (line) => options.ui()?.timing?.(line) ?? null,
      during: (view, line) => options.ui()?.during?.(view, line) ?? view,
      after: (view, line) => options.ui()?.after?.(view, line) ?? view,
    })
  }

  /** Shows a frame; after `from`, event by event what happened in between. */
  show(frames: readonly Frame[], at: number, from = at): void {
    this.presentation.restart(frames[from]!.view, logUntil(frames, from).length)
    for (let n = from + 1; n <= at; n += 1) this.presentation.receive(logUntil(frames, n), frames[n]!.view)
  }

  /** Shows a frame: the one after the last event by event, any other at once. */
  step(frames: readonly Frame[], at: number): void {
    const isNext = this.last?.frames === frames && this.last.at + 1 === at
    this.last = { frames, at }
    this.show(frames, at, isNext ? at - 1 : at)
  }

  /** The scene of the last frame, as far as it has been shown. */
  shown(scene: Scene): Scene {
    const { view, shown, firstNewLine } = this.presentation
    const telling = settings.speed === 'instant' ? undefined : this.presentation.telling
    return { ...scene, view: view ?? scene.view, log: scene.log.slice(0, shown), firstNewLine, telling }
  }
}

export function logUntil(frames: readonly Frame[], at: number): Line[] {
  return frames.slice(0, at + 1).flatMap((frame) => frame.lines)
}
