import type { Scene } from '../../table/scene'
import type { Notebook, View } from './view'

/** The cards that the viewer knows in the hand of another seat. */
export function knownHand(scene: Scene<View>, seat: number): string[] {
  const { view } = scene
  const notes = scene.notes as Notebook | null | undefined
  if (seat === view.seat || view.over || !notes) return []
  // While events are shown the notebook can be of another moment than the view.
  return (notes.known.hands[seat] ?? []).slice(0, view.seats[seat]!.hand_size)
}
