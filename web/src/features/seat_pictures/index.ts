// The picture at one's seat.
import type { FeatureUI } from '../feature'

export default { order: 30 } satisfies FeatureUI
