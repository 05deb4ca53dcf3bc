// Moves and answers decided in advance.
import type { FeatureUI } from '../feature'

export default { order: 120 } satisfies FeatureUI
