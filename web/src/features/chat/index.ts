// Messages, reactions and remarks, and not hearing somebody.
import type { FeatureUI } from '../feature'

export default { order: 100 } satisfies FeatureUI
