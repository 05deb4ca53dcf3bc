// What the viewer's notebook says about the top card.

import type { Scene } from '../../table/scene'
import { frontOf } from './cards'
import type { Colour, Notebook, View } from './view'

/** Colours on the back of the top card that its front cannot have: all such cards have been seen. */
export function impossibleFronts(scene: Scene<View>): Colour[] {
  const { back } = scene.view.draw
  const top = (scene.notes as Notebook | null | undefined)?.places.draw.top ?? []
  if (!back || !top.length || scene.view.over) return []
  // An id names all three colours. While events are shown the notebook can be of another card.
  const isOfThisBack = top.every((card) => back.every((colour) => card.split(/[:+]/).includes(colour)))
  const possible = new Set(top.map(frontOf))
  return isOfThisBack ? back.filter((colour) => !possible.has(colour)) : []
}
