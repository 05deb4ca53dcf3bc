// A hint in words.

import type { Hint } from '../../api/protocol'
import { t } from '../../i18n/language.svelte'
import type { Sentences } from '../../i18n/sentences'

/** With its main reason: one sentence, so that it covers nothing. A review has the others. */
export function hintText(
  { action, chance, reasons = [] }: Pick<Hint, 'action' | 'chance'> & Partial<Pick<Hint, 'reasons'>>,
  sentences: Sentences,
): string {
  const says =
    chance === null
      ? t('hint.says', { action: sentences.action(action) })
      : t('hint.says-chance', { action: sentences.action(action), percent: Math.round(100 * chance) })
  return [says, ...reasons.slice(0, 1).map(({ key, params }) => sentences.text(key, params))].join(' ')
}
