// The frames of a finished game and of its variations, for any viewer. Frames that a variation shares with its origin, and
// those that it had before it grew, are not requested again.

import { api } from '../../api/http'
import type { Frame, Frames, RoomVariation } from '../../api/protocol'

export class Lines {
  private kept = new Map<string, Promise<Frames>>()
  private longest = new Map<string, readonly Frame[]>()

  constructor(private readonly table: string) {}

  get(variation: string | null, perspective: string, all: readonly RoomVariation[]): Promise<Frames> {
    const known = all.find(({ id }) => id === variation)
    if (variation !== null && !known) return Promise.reject(new Error('no such variation'))
    const key = known ? `${perspective} ${known.id} ${known.length}` : perspective
    let found = this.kept.get(key)
    if (!found) {
      found = known ? this.load(known, perspective, all) : api.frames(this.table, perspective)
      this.kept.set(key, found)
      found.catch(() => this.kept.delete(key))
    }
    return found
  }

  private async load(variation: RoomVariation, perspective: string, all: readonly RoomVariation[]): Promise<Frames> {
    const name = `${perspective} ${variation.id}`
    const base = this.longest.get(name) ?? (await this.shared(variation, perspective, all))
    const rest = await api.frames(this.table, perspective, variation.id, base.length)
    const frames = [...base, ...rest.frames]
    this.longest.set(name, frames)
    return { ...rest, frames }
  }

  /** The frames that a variation has in common with its origin; none if that was removed. */
  private async shared(
    { origin, turn }: RoomVariation,
    perspective: string,
    all: readonly RoomVariation[],
  ): Promise<readonly Frame[]> {
    if (origin !== null && !all.some(({ id }) => id === origin)) return []
    return (await this.get(origin, perspective, all)).frames.slice(0, turn + 1)
  }
}
