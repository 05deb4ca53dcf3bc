// Random numbers of the people at this device, for the deal of a table that they pass around.
import type { Table } from '../../api/protocol'
import { newSalts, storedSeal, storeSalts } from '../../lib/fairness'
import { local } from './tables'

const asked = new Set<string>()

/** Before the deal: sends a number for each person, once, and keeps them with the commitment. */
export async function addSalts({ id, phase, seats, fairness }: Table): Promise<void> {
  if (asked.has(id) || storedSeal(id) || (phase !== 'waiting' && phase !== 'sealing')) return
  asked.add(id)
  const salts = newSalts(seats.filter(({ kind }) => kind === 'person').map(({ seat }) => seat))
  try {
    await local.addSalts(
      id,
      salts.map(({ salt }) => salt),
    )
    storeSalts(id, fairness.commitment, salts)
  } catch {
    // The cards were dealt just before, without them: the check after the game says that nothing was kept.
  }
}
