/** The points of an SVG polyline through these values: from x = 0 to 100, `low` at y = `bottom` and `high` at y = `top`. */
export function polylinePoints(
  values: readonly number[],
  { low, high, top, bottom }: { low: number; high: number; top: number; bottom: number },
): string[] {
  const x = (n: number) => (100 * n) / Math.max(1, values.length - 1)
  const y = (value: number) => bottom - ((bottom - top) * (value - low)) / (high - low)
  return values.map((value, n) => `${x(n)},${y(value)}`)
}
