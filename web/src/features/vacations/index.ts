// Holidays from slow games.
import type { FeatureUI } from '../feature'

export default { order: 70 } satisfies FeatureUI
