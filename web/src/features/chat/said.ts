// What somebody said, in words.

import { t } from '../../i18n/language.svelte'
import type { Said } from '../../api/protocol'

export function wordsOf(said: Said): string {
  if (said.text !== null) return said.text
  if (said.reaction !== null) return t(`reaction.${said.reaction}`)
  return said.remark ? t(said.remark.key, said.remark.params) : ''
}
