// A finished game, frame by frame, for replays and reviews.

import type { Frames, Line } from '../api/protocol'
import { KnownActions } from '../i18n/actions'
import { Sentences } from '../i18n/sentences'
import { logUntil } from '../replay/framePlayer.svelte'
import type { GameUI } from '../table/GameUI'
import type { Scene } from '../table/scene'
import { botName } from './seats'

export function namesOf(frames: Frames): string[] {
  return frames.names.map((name, seat) => name ?? botName(frames.bots[seat] ?? seat))
}

/** The table after so many decisions. Nothing can be chosen there unless it is asked for. */
export function sceneAt(frames: Frames, ui: GameUI, at: number, canChoose = false): Scene {
  const { view, lines } = frames.frames[at]!
  const log = logUntil(frames.frames, at)
  const names = namesOf(frames)
  return {
    view: canChoose ? view : { ...view, legal: [] },
    log,
    firstNewLine: log.length - lines.length,
    sentences: new Sentences(frames.game, names, view.seat, actionsOf(frames), ui.describeAction),
    seats: names.map((name, seat) => ({
      name,
      level: frames.levels[seat] ?? null,
      bot: frames.names[seat] == null ? (frames.bots[seat] ?? seat) : null,
      online: true,
      standIn: false,
      deadline: null,
    })),
  }
}

const actionsKnown = new WeakMap<Frames, KnownActions>()

/** Every action that was legal for the viewer somewhere in the game: a review names them beside any position. */
function actionsOf(frames: Frames): KnownActions {
  let known = actionsKnown.get(frames)
  if (!known) {
    actionsKnown.set(frames, (known = new KnownActions()))
    for (const { view } of frames.frames) known.learn(view.described)
  }
  return known
}

/** After how many decisions a line of the log was written. */
export function frameOf(frames: Frames, line: Line): number {
  return frames.frames.findIndex((frame) => frame.lines.includes(line))
}
