// A finished game, frame by frame, for replays and reviews.

import type { Frames, Line } from '../api/protocol'
import { Sentences } from '../i18n/sentences'
import type { GameUI } from '../table/GameUI'
import type { Scene } from '../table/scene'
import { botName } from './seats'

export function namesOf(frames: Frames): string[] {
  return frames.names.map((name, seat) => name ?? botName(frames.bots[seat] ?? seat))
}

/** The table after so many decisions. Nothing can be chosen there unless it is asked for. */
export function sceneAt(frames: Frames, ui: GameUI, at: number, canChoose = false): Scene {
  const { view, lines } = frames.frames[at]!
  const log = logUntil(frames, at)
  const names = namesOf(frames)
  return {
    view: canChoose ? view : { ...view, legal: [] },
    log,
    firstNewLine: log.length - lines.length,
    sentences: new Sentences(frames.game, names, view.seat, ui.describeAction),
    seats: names.map((name, seat) => ({
      name,
      level: frames.levels[seat] ?? null,
      online: true,
      standIn: false,
      deadline: null,
    })),
  }
}

function logUntil(frames: Frames, at: number): Line[] {
  return frames.frames.slice(0, at + 1).flatMap((frame) => frame.lines)
}

/** After how many decisions a line of the log was written. */
export function frameOf(frames: Frames, line: Line): number {
  return frames.frames.findIndex((frame) => frame.lines.includes(line))
}
