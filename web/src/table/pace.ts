/** What the question offers while events are shown one by one. */
export interface Pace {
  readonly busy: boolean
  readonly waiting: boolean
  next(): void
  skip(): void
}
