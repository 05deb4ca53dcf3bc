// Inviting the people of the last tables.
import type { FeatureUI } from '../feature'

export default { order: 140 } satisfies FeatureUI
