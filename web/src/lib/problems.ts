import { ApiError } from '../api/http'
import type { Problem } from '../api/protocol'
import { t } from '../i18n/language.svelte'

/** What was asked of the server has no answer. */
export const noAnswer = (): string => t(navigator.onLine ? 'problem.no-answer' : 'problem.no-connection')

/** The sentence for a failed request: why the server refused it, or that it did not answer. */
export function problemText(failure: unknown): string {
  return failure instanceof ApiError ? t(failure.problem.key, failure.problem.params) : noAnswer()
}

/** Title and text of the message that takes the place of a table: others may still play its deal, the page itself says why
 *  it has no table, or it is not there. */
export function whyNotShown(refusal: Problem | null, what: 'table' | 'replay'): { title: string; text: string } {
  if (refusal && (refusal.code === 'still-secret' || !refusal.key.startsWith('server.')))
    return { title: t(refusal.key, refusal.params), text: '' }
  return what === 'table'
    ? { title: t('table.gone'), text: t('table.gone.text') }
    : { title: t('replay.gone'), text: t('replay.gone.text') }
}
