// Events are told one after the other, and the table follows them.

import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Line, View } from '../src/api/protocol'
import type { Speed } from '../src/state/settings.svelte'
import { Presentation } from '../src/table/presentation.svelte'

const ME = 0
let number = 0
const view = (asked: number): View =>
  ({ game: 'any', seat: ME, players: 2, to_act: asked, turn: (number += 1) }) as unknown as View
const line = (seat: number): Line => ({ kind: 'moved', seat })

function presenting(speed: Speed) {
  const presentation = new Presentation({
    speed: () => speed,
    sentence: (one) => (one.kind === 'quiet' ? '' : 'Somebody moves.'),
    timing: () => ({ time: 1000, moveAfter: 400 }),
  })
  const first = view(ME)
  const log = [line(ME)]
  presentation.receive(log, first)
  return { presentation, first, log }
}

describe('a presentation', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  it('shows what was there before the page at once', () => {
    const { presentation, first } = presenting('normal')
    expect(presentation.view).toBe(first)
    expect(presentation.busy).toBe(false)
    expect(presentation.shown).toBe(1)
  })

  it('tells each event before the table changes, and steps in their order', async () => {
    const { presentation, first, log } = presenting('normal')
    const [second, third] = [view(1), view(ME)]
    const [mine, answer, more] = [line(ME), line(1), line(1)]
    presentation.receive([...log, mine], second)
    presentation.receive([...log, mine, answer, more], third)
    expect([presentation.view, presentation.telling, presentation.shown]).toEqual([first, mine, 1])
    await vi.advanceTimersByTimeAsync(1001)
    expect([presentation.view, presentation.telling, presentation.shown]).toEqual([second, answer, 2])
    await vi.advanceTimersByTimeAsync(1001)
    expect([presentation.view, presentation.telling, presentation.shown]).toEqual([second, more, 3])
    await vi.advanceTimersByTimeAsync(1001)
    expect([presentation.view, presentation.telling, presentation.busy]).toEqual([third, null, false])
  })

  it('tells the end over the table that has led to it, and nothing is over before it is told', async () => {
    const { presentation, first, log } = presenting('normal')
    const last = { ...view(ME), over: true, legal: ['again'] } as unknown as View
    presentation.receive([...log, line(ME), { kind: 'over', winners: [ME] }], last)
    expect(presentation.view).toBe(first)
    await vi.advanceTimersByTimeAsync(1001)
    expect(presentation.telling?.kind).toBe('over')
    expect(presentation.view).toEqual({ ...last, over: first.over, legal: [] })
    await vi.advanceTimersByTimeAsync(1001)
    expect(presentation.view).toBe(last)
  })

  it('lets the table follow each event: while it is told what its sentence says, then all of it', async () => {
    const presentation = new Presentation({
      speed: () => 'normal',
      sentence: () => 'Somebody moves.',
      timing: () => ({ time: 1000 }),
      during: (table, { lives }) => ({ ...table, lives }),
      after: (table, { lives, place }) => ({ ...table, lives, place }),
    })
    const [first, last] = [view(ME), view(ME)]
    presentation.receive([], first)
    const log = [
      { ...line(1), lives: 2, place: 'a' },
      { ...line(1), lives: 1, place: 'b' },
    ]
    presentation.receive(log, last)
    expect(presentation.view).toEqual({ ...first, lives: 2 })
    await vi.advanceTimersByTimeAsync(1000)
    expect(presentation.view, 'drawn before the next event').toEqual({ ...first, lives: 2, place: 'a' })
    await vi.advanceTimersByTimeAsync(1)
    expect(presentation.view).toEqual({ ...first, lives: 1, place: 'a' })
    await vi.advanceTimersByTimeAsync(1001)
    expect(presentation.view).toBe(last)
    presentation.again(log[1]!)
    expect(presentation.view, 'the table as it was').toEqual({ ...first, lives: 1, place: 'a' })
  })

  it('is faster or slower as the player likes, cards included', () => {
    const durations = (['fast', 'normal', 'slow'] as const).map((speed) =>
      presenting(speed).presentation.timingOf(line(1)),
    )
    expect(durations.map(({ time }) => time)).toEqual([450, 1000, 1800])
    expect(durations.map(({ moveAfter }) => moveAfter)).toEqual([180, 400, 720])
  })

  it('tells nothing at the speed "instant", and no quiet event', async () => {
    const instant = presenting('instant')
    const next = view(ME)
    instant.presentation.receive([...instant.log, line(1)], next)
    expect([instant.presentation.view, instant.presentation.busy]).toEqual([next, false])

    const normal = presenting('normal')
    normal.presentation.receive([...normal.log, { kind: 'quiet', seat: 1 }], next)
    await vi.advanceTimersByTimeAsync(1)
    expect([normal.presentation.view, normal.presentation.busy]).toEqual([next, false])
  })

  it('waits for the player after each step of another player', async () => {
    const { presentation, log } = presenting('wait')
    const [second, third] = [view(1), view(ME)]
    presentation.receive([...log, line(ME)], second)
    presentation.receive([...log, line(ME), line(1)], third)
    await vi.advanceTimersByTimeAsync(60_000)
    expect([presentation.view, presentation.waiting, presentation.busy]).toEqual([third, true, true])
    presentation.next()
    await vi.advanceTimersByTimeAsync(1)
    expect([presentation.waiting, presentation.busy]).toEqual([false, false])
  })

  it('can be skipped to the present', async () => {
    const { presentation, log } = presenting('slow')
    const [second, third] = [view(1), view(ME)]
    presentation.receive([...log, line(ME)], second)
    presentation.receive([...log, line(ME), line(1)], third)
    presentation.skip()
    await vi.advanceTimersByTimeAsync(1)
    expect([presentation.view, presentation.busy, presentation.shown]).toEqual([third, false, 3])
  })

  it('shows an event again on the table as it was, and returns', async () => {
    const { presentation, first, log } = presenting('normal')
    const [second, mine] = [view(ME), line(ME)]
    presentation.receive([...log, mine], second)
    await vi.advanceTimersByTimeAsync(1001)
    expect(presentation.canShowAgain(log[0]!), 'from before the page was opened').toBe(false)
    presentation.again(mine)
    expect([presentation.view, presentation.telling]).toEqual([first, mine])
    await vi.advanceTimersByTimeAsync(10_000)
    expect([presentation.view, presentation.telling, presentation.busy, presentation.shown]).toEqual([
      second,
      null,
      false,
      2,
    ])
  })

  it('starts anew from the view when the log has become shorter, whatever was being told', async () => {
    const { presentation, log } = presenting('normal')
    presentation.receive([...log, line(ME), line(1)], view(1))
    expect(presentation.busy).toBe(true)
    const takenBack = view(ME)
    presentation.receive([...log], takenBack)
    expect([presentation.view, presentation.telling]).toEqual([takenBack, null])
    await vi.advanceTimersByTimeAsync(10_000)
    expect([presentation.view, presentation.busy, presentation.shown]).toEqual([takenBack, false, 1])
    const next = view(ME)
    presentation.receive([...log, line(1)], next)
    await vi.advanceTimersByTimeAsync(1001)
    expect([presentation.view, presentation.busy]).toEqual([next, false])
  })

  it('starts anew while an event is shown again', async () => {
    const { presentation, log } = presenting('normal')
    const mine = line(ME)
    presentation.receive([...log, mine], view(ME))
    await vi.advanceTimersByTimeAsync(1001)
    presentation.again(mine)
    const takenBack = view(ME)
    presentation.receive([...log], takenBack)
    await vi.advanceTimersByTimeAsync(10_000)
    expect([presentation.view, presentation.busy, presentation.shown]).toEqual([takenBack, false, 1])
  })

  it('is not busy for good when the table started anew while the game was introduced', () => {
    const { presentation, log } = presenting('normal')
    presentation.hold()
    presentation.receive([...log, line(1)], view(1))
    expect(presentation.busy).toBe(true)
    presentation.receive([...log], view(ME))
    presentation.release()
    expect(presentation.busy).toBe(false)
  })

  it('tells a long queue faster, so that the table is not far behind', async () => {
    const { presentation, log } = presenting('normal')
    const many = Array.from({ length: 60 }, () => line(1))
    const last = view(ME)
    presentation.receive([...log, ...many], last)
    await vi.advanceTimersByTimeAsync(14_000)
    expect(presentation.busy, 'each is told').toBe(true)
    await vi.advanceTimersByTimeAsync(2_000)
    expect([presentation.view, presentation.busy, presentation.shown]).toEqual([last, false, 61])
    presentation.receive([...log, ...many, line(1)], view(ME))
    await vi.advanceTimersByTimeAsync(900)
    expect(presentation.busy, 'a short one as slowly as ever').toBe(true)
  })

  it('shows the table as it is when a sentence cannot be made', async () => {
    const reported = vi.spyOn(console, 'error').mockImplementation(() => undefined)
    const presentation = new Presentation({
      speed: () => 'normal',
      sentence: (one) => {
        if (one.kind === 'broken') throw new Error('no such word')
        return 'Somebody moves.'
      },
    })
    presentation.receive([], view(ME))
    const last = view(ME)
    presentation.receive([line(1), { kind: 'broken', seat: 1 }], last)
    await vi.advanceTimersByTimeAsync(5000)
    expect([presentation.view, presentation.busy]).toEqual([last, false])
    expect(reported).toHaveBeenCalled()
    reported.mockRestore()
  })
})
