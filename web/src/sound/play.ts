// Plays the sounds of the page. A browser lets a page be heard only after its reader has tapped or pressed a key; the
// synthesizer is loaded then. Nothing is heard while the tab is hidden, but "your turn" where its reader allowed
// notifications.

import { settings } from '../state/settings.svelte'
import type { SoundName } from './sounds'

/** Whether a sound may be heard now. */
export function isAudible(name: SoundName): boolean {
  if (settings.muted || typeof AudioContext === 'undefined') return false
  if (document.hidden && !(name === 'turn' && settings.notify)) return false
  return navigator.userActivation?.hasBeenActive ?? true
}

export function play(name: SoundName): void {
  if (!isAudible(name)) return
  import('./synthesizer').then(
    (synthesizer) => synthesizer.play(name),
    () => undefined, // A page that was replaced on the server stays silent.
  )
}
