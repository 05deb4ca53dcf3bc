// Being told of one's turn: by the browser, or in a chat room elsewhere.
import type { FeatureUI } from '../feature'

export default { order: 85 } satisfies FeatureUI
