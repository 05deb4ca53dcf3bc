/** A change with its sign. */
export const signed = (by: number): string => `${by > 0 ? '+' : by < 0 ? '−' : '±'}${Math.abs(by)}`
