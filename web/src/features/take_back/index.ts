// Taking a decision back.
import type { FeatureUI } from '../feature'

export default { order: 90 } satisfies FeatureUI
