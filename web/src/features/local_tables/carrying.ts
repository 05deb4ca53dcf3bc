// The games of this device in one file: a line for each table, which the worker writes and reads
// (src/tavolino/local/carrying.py).

import { ApiError } from '../../api/http'
import { t } from '../../i18n/language.svelte'
import { storedSeal, storeSealFromFile } from '../../lib/fairness'
import { problemText } from '../../lib/problems'
import { local } from './tables'

/** What came of a line. */
type Result = 'header' | 'brought' | 'there' | 'not-a-game' | 'other-version' | 'damaged'

export interface Brought {
  brought: number
  /** Games that are on this device already: they stay as they are. */
  there: number
  refused: { line: number; why: string }[]
  /** Why the rest of the file was not read; '': all was. */
  problem: string
}

/** A line that was made a table is JSON. */
function keepSeal(line: string): void {
  const { table, seal } = JSON.parse(line) as { table: string; seal?: unknown }
  storeSealFromFile(table, seal)
}

const BEGINNING = 200 // bytes, with the whole first line

/** All these tables. */
export async function saved(tables: readonly string[], name: string): Promise<File> {
  const lines = [JSON.stringify(await local.header())]
  for (const table of tables) lines.push(JSON.stringify({ ...(await local.line(table)), seal: storedSeal(table) }))
  return new File([lines.join('\n'), '\n'], name, { type: 'application/jsonl' })
}

/** Reads a file line by line: what was brought before a problem stays. */
export async function bring(file: Blob): Promise<Brought> {
  const found: Brought = { brought: 0, there: 0, refused: [], problem: '' }
  try {
    const [first = ''] = (await file.slice(0, BEGINNING).text()).split('\n')
    if ((await local.bring(first)) !== 'header') return { ...found, problem: t('offline.bring.no-file') }
    const lines = (await file.text()).split('\n')
    for (const [n, line] of lines.entries()) {
      if (n === 0 || !line.trim()) continue
      const result = (await local.bring(line)) as Result
      if (result === 'brought') keepSeal(line)
      if (result === 'brought' || result === 'there') found[result] += 1
      else found.refused.push({ line: n + 1, why: t(`offline.bring.${result}`) })
    }
  } catch (failure) {
    found.problem = failure instanceof ApiError ? problemText(failure) : t('offline.bring.unreadable')
  }
  return found
}
