// The rule behind each question, to read on from there.

import type { View } from '../lib/protocol'
import { rulesOfCard } from './gauntletTip'

const rules: Record<string, Record<string, string>> = {
  mantis: { turn: 'MA-10', take: 'MA-23' },
  'splendor-marvel': { turn: 'SM-10', pay: 'SM-17', visit: 'SM-22', return: 'SM-23' },
  'infinity-gauntlet': {
    play: 'IG-12',
    fight: 'IG-40',
    'fight-with': 'IG-42',
    'give-up': 'IG-52',
    order: 'IG-57',
    'end-turn': 'IG-83',
  },
}

export function promptRule(view: View): string | null {
  if (view.over || !view.prompt) return null
  const { key, card } = view.prompt
  if (view.game === 'infinity-gauntlet' && typeof card === 'string') return rulesOfCard(card)[0] ?? null
  return rules[view.game]?.[key] ?? null
}
