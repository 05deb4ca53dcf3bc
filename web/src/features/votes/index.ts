// Agreeing to end a game, and a bot for who is away.
import type { FeatureUI } from '../feature'

export default { order: 110 } satisfies FeatureUI
