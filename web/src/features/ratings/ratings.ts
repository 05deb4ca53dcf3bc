// How a rating is shown: as a range until it is certain.
import type { Rating } from '../../api/protocol'

export const ratingRange = ({ low, high }: Rating) => `${low}–${high}`

/** A change with its sign. */
export const signed = (by: number) => `${by > 0 ? '+' : by < 0 ? '−' : '±'}${Math.abs(by)}`

export const ratingText = (rating: Rating) => (rating.sure ? String(rating.value) : ratingRange(rating))
