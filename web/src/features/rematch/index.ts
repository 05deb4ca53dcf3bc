// Another game with the same people.
import type { FeatureUI } from '../feature'

export default { order: 170 } satisfies FeatureUI
