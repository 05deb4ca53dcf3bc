// How a rating is shown: as a range until it is certain.
import type { Rating } from '../../api/protocol'

export const ratingRange = ({ low, high }: Rating) => `${low}–${high}`

export const ratingText = (rating: Rating) => (rating.sure ? String(rating.value) : ratingRange(rating))
