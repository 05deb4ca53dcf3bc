// "I'm ready" in the waiting room.
import type { FeatureUI } from '../feature'

export default { order: 130 } satisfies FeatureUI
