/** Times per move on offer; null is no clock. */
export const times: readonly { seconds: number | null; key: string; n: number }[] = [
  { seconds: null, key: 'time.none', n: 0 },
  { seconds: 30, key: 'time.seconds', n: 30 },
  { seconds: 60, key: 'time.seconds', n: 60 },
  { seconds: 180, key: 'time.minutes', n: 3 },
  { seconds: 600, key: 'time.minutes', n: 10 },
  { seconds: 3600, key: 'time.hours', n: 1 },
  { seconds: 86_400, key: 'time.days', n: 1 },
  { seconds: 259_200, key: 'time.days', n: 3 },
  { seconds: 604_800, key: 'time.days', n: 7 },
]
