// How a game ended for each seat: winners first, then by points; equal points share a place.

/** What a seat has at the end. The parts add up to the points only where the game says so. */
export interface Standing {
  seat: number
  /** What seats are ranked by; null where a game knows no points. */
  points: number | null
  parts: readonly { label: string; value: number | string }[]
}

export interface Ranked extends Standing {
  place: number
  isWinner: boolean
}

export function ranked(standings: readonly Standing[], winners: readonly number[]): Ranked[] {
  const isWinner = (one: Standing) => winners.includes(one.seat)
  const order = (a: Standing, b: Standing) =>
    Number(isWinner(b)) - Number(isWinner(a)) || (b.points ?? 0) - (a.points ?? 0) || a.seat - b.seat
  const sorted = [...standings].sort(order)
  const isLevel = (a: Standing, b: Standing) => isWinner(a) === isWinner(b) && (isWinner(a) || a.points === b.points)
  return sorted.map((one) => ({
    ...one,
    place: 1 + sorted.findIndex((other) => isLevel(one, other)),
    isWinner: isWinner(one),
  }))
}

/** What a team did together. */
export interface Summary {
  title: string
  lines: readonly string[]
}
