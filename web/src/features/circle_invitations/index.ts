// Showing a table to the members of a circle.
import type { FeatureUI } from '../feature'

export default { order: 145, depends: ['circles', 'invitations'] } satisfies FeatureUI
