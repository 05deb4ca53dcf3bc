// Hints and the notebook.
import type { FeatureUI } from '../feature'

export default { order: 80 } satisfies FeatureUI
