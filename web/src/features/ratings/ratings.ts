// How a rating is shown: roughly until it is certain. The range is in the table of "Your games".
import type { Rating } from '../../api/protocol'
import { t } from '../../i18n/language.svelte'

/** To so many points an uncertain rating is rounded. */
const ROUGHLY = 50

export const ratingRange = ({ low, high }: Rating) => `${low}–${high}`

export const ratingText = ({ sure, value }: Rating) =>
  sure ? String(value) : t('rating.about', { value: String(ROUGHLY * Math.round(value / ROUGHLY)) })
