// The stage: every kind of event of every game has a beat or is left out on purpose, and beats give away nothing.
import { cleanup, render } from '@testing-library/svelte'
import { flushSync } from 'svelte'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { Line, View } from '../src/api/protocol'
import { KnownActions } from '../src/i18n/actions'
import { setTexts } from '../src/i18n/language.svelte'
import { Sentences } from '../src/i18n/sentences'
import { beatOf, type Script } from '../src/stage/script'
import { loadScript } from '../src/stage/scripts'
import { loadGameUI } from '../src/table/drawings'
import { allTexts, drawnGames, servedTexts } from './catalogues'
import { names, recorded, type Recorded } from './recorded'
import TestStage from './TestStage.svelte'

const played = vi.hoisted(() => [] as string[])
vi.mock('../src/sound/play', () => ({ play: (name: string) => played.push(name) }))

/** The kinds of events that a game has a text for; the engine's tests check that every kind has one. */
const kindsOf = (game: string) =>
  [
    ...new Set(
      Object.keys(servedTexts('en')).flatMap((key) => (key.startsWith(`${game}.event.`) ? [key.split('.')[2]!] : [])),
    ),
  ].sort()

const sentencesOf = (view: Recorded) => new Sentences(view.game, names, view.seat, new KnownActions(view.described))

/** The recorded lines with the view that they are shown over. */
function told(game: string, viewer: 'seat' | 'spectator'): { line: Line; view: Recorded; log: Line[] }[] {
  const moments = recorded(game).map((moment) => moment[viewer])
  return moments.flatMap((moment, i) => {
    const before = moments[Math.max(0, i - 1)]!
    return moment.log.map((line, at) => ({ line, view: before, log: [...before.log, ...moment.log.slice(0, at + 1)] }))
  })
}

afterEach(cleanup)

describe.each(drawnGames)('%s', async (game) => {
  setTexts('en', allTexts('en'))
  const ui = await loadGameUI(game)
  setTexts('en', allTexts('en'))
  const script = (await loadScript(game)) as Script

  test('every kind of event has a beat or is left out on purpose', () => {
    expect(Object.keys(script.beats).sort()).toEqual(kindsOf(game))
  })

  test('each recorded event has words, a seat that exists, and a piece that is drawn', () => {
    const kinds = new Set<string>()
    for (const { line, view, log } of told(game, 'seat')) {
      const context = { view, log, sentences: sentencesOf(view) }
      const beat = beatOf(script, line, context)
      if (!beat || kinds.has(line.kind)) continue
      kinds.add(line.kind)
      expect(beat.words ?? context.sentences.event(line), line.kind).toMatch(/\S+ \S+/)
      for (const seat of [beat.seat, beat.target])
        if (seat !== undefined) expect(view.seats, line.kind).toHaveProperty(String(seat))
      if (beat.piece === undefined) continue
      const { container, unmount } = render(script.Piece, { props: { piece: beat.piece, line, context } })
      expect(container.querySelector('svg'), line.kind).not.toBeNull()
      unmount()
    }
    expect(kinds.size).toBeGreaterThan(1)
  })

  test('sounds and their pace are the same for who sees a hidden card and who does not', () => {
    const [mine, theirs] = [told(game, 'seat'), told(game, 'spectator')]
    expect(mine.length).toBe(theirs.length)
    let hidden = 0
    mine.forEach(({ line, view, log }, i) => {
      const other = theirs[i]!
      const soundOf = (one: typeof other) =>
        beatOf(script, one.line, { view: one.view, log: one.log, sentences: sentencesOf(one.view) })?.sound
      expect(soundOf({ line, view, log }), line.kind).toBe(soundOf(other))
      if (!line.secret) return
      hidden += 1
      expect(ui.timing?.(line), line.kind).not.toBeNull()
      expect(ui.timing?.(line), line.kind).toEqual(ui.timing?.(other.line))
    })
    if (game === 'infinity-gauntlet') expect(hidden).toBeGreaterThan(0)
  })
})

describe('the stage', () => {
  beforeEach(() => {
    vi.useFakeTimers()
    played.length = 0
  })
  afterEach(() => void vi.useRealTimers())
  const view = { game: 'any', seat: 0, players: 2, seats: [{}, {}] } as unknown as View
  const stage = (container: HTMLElement) => container.querySelector<HTMLElement>('[data-testid=stage]')

  test('a game without a script gets plain beats: who acts on whom, and the sentence', async () => {
    const { container } = render(TestStage, { view, telling: { kind: 'moved', seat: 0, target: 1 } })
    await vi.advanceTimersByTimeAsync(1)
    expect(stage(container)!.textContent).toMatch(/Ann\s*B\s*Bo\s*Ann: Moved/)
    expect(played).toEqual([])
  })

  test('it is gone when the event is over, and a tap goes on', async () => {
    const next = vi.fn()
    const { container, rerender } = render(TestStage, { view, telling: { kind: 'moved', seat: 0 }, next })
    await vi.advanceTimersByTimeAsync(1)
    stage(container)!.click()
    expect(next).toHaveBeenCalledOnce()
    await rerender({ telling: null })
    await vi.advanceTimersByTimeAsync(100)
    flushSync()
    expect(stage(container)).toBeNull()
  })

  test('a card is shown with what it does; screen readers hear it, and who played it does not', async () => {
    setTexts('en', allTexts('en'))
    const moment = recorded('infinity-gauntlet').find(({ seat }) =>
      seat.log.some((line) => line.kind === 'played'),
    )!.seat
    const line = moment.log.find((one) => one.kind === 'played')!
    const said: string[] = []
    const effect = (key: string) => sentencesOf(moment).text(key, { seat: line.seat, players: moment.players })
    const [printed, told] = ['', '.other'].map((who) => effect(`effect.${String(line.card)}${who}`)) as [string, string]
    expect(told).not.toBe(printed)
    const props = { telling: null, say: (texts: readonly string[]) => said.push(...texts) }
    const other = { ...moment, seat: line.seat === 0 ? 1 : 0 } as unknown as View
    const { container, rerender } = render(TestStage, { view: other, ...props })
    await vi.advanceTimersByTimeAsync(50)
    await rerender({ telling: line })
    await vi.advanceTimersByTimeAsync(1)
    expect(stage(container)!.textContent).toContain(told)
    expect(said).toEqual([told])
    expect(played).toEqual(['flip'])
    cleanup()
    said.length = 0
    const own = render(TestStage, { view: { ...moment, seat: line.seat } as unknown as View, ...props })
    await vi.advanceTimersByTimeAsync(50)
    await own.rerender({ telling: line })
    await vi.advanceTimersByTimeAsync(1)
    expect(stage(own.container)!.textContent).toContain(printed)
    expect(said).toEqual([])
  })
})
