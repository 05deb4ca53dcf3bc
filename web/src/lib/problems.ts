import { ApiError } from '../api/http'
import { t } from '../i18n/language.svelte'

/** The sentence for a failed request: why the server refused it, or that it did not answer. */
export function problemText(failure: unknown): string {
  return failure instanceof ApiError ? t(failure.problem.key, failure.problem.params) : t('problem.no-answer')
}
