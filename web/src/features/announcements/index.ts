// The operator's announcement, above every page.
import type { FeatureUI } from '../feature'

export default { order: 10 } satisfies FeatureUI
