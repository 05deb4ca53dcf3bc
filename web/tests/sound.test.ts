// Sounds: not more than three at once, the first one quiet, none while muted or hidden, none before a tap.
import { beforeEach, describe, expect, test, vi } from 'vitest'

const parameter = () => ({
  value: 0,
  setValueAtTime: vi.fn(),
  exponentialRampToValueAtTime: vi.fn(),
  setTargetAtTime: vi.fn(),
})
const gains: { gain: ReturnType<typeof parameter>; connect: (to: unknown) => unknown; to?: unknown }[] = []
const source = () => ({
  frequency: parameter(),
  connect: <T>(to: T): T => to,
  start: vi.fn(),
  stop: vi.fn(),
})
const destination = {}

class FakeAudio {
  currentTime = 0
  sampleRate = 100
  destination = destination
  resume = vi.fn()
  suspend = vi.fn()
  createGain() {
    const gain: (typeof gains)[number] = { gain: parameter(), connect: (to) => (gain.to = to) }
    gains.push(gain)
    return gain
  }
  createOscillator = source
  createBufferSource = source
  createBiquadFilter = () => ({ ...source(), Q: parameter() })
  createBuffer = () => ({ getChannelData: () => new Float32Array(10) })
}

beforeEach(() => {
  vi.resetModules()
  vi.stubGlobal('AudioContext', FakeAudio)
  vi.stubGlobal('navigator', { userActivation: { hasBeenActive: true } })
  gains.length = 0
})

/** What goes to the loudspeaker: one for each sound. */
const voices = () => gains.filter((gain) => gain.to === destination)

describe('the synthesizer', () => {
  test('of more than three sounds at once the oldest fades', async () => {
    const { play } = await import('../src/sound/synthesizer')
    for (let i = 0; i < 4; i += 1) play('stone')
    expect(voices().map(({ gain }) => gain.setTargetAtTime.mock.calls.length)).toEqual([1, 0, 0, 0])
  })

  test('the first sound is quiet, the next ones are less so', async () => {
    const { play } = await import('../src/sound/synthesizer')
    for (let i = 0; i < 6; i += 1) play('flip')
    const loudness = voices().map(({ gain }) => gain.value)
    expect(loudness[0]).toBeLessThan(loudness[4]! / 3)
    expect(loudness[5]).toBe(loudness[4])
    expect([...loudness].sort((a, b) => a - b)).toEqual(loudness)
  })

  test('every sound has notes, and none is longer than four seconds', async () => {
    const { tunes } = await import('../src/sound/tunes')
    for (const [name, notes] of Object.entries(tunes)) {
      expect(notes.length, name).toBeGreaterThan(0)
      for (const { at = 0, length } of notes) expect(at + length, name).toBeLessThan(4)
    }
  })
})

describe('a sound is heard', async () => {
  const hidden = vi.spyOn(document, 'hidden', 'get')
  const { change } = await import('../src/state/settings.svelte')
  const { isAudible } = await import('../src/sound/play')
  beforeEach(() => {
    hidden.mockReturnValue(false)
    change('muted', false)
    change('notify', false)
  })

  test('after a tap, and not before', () => {
    expect(isAudible('flip')).toBe(true)
    vi.stubGlobal('navigator', { userActivation: { hasBeenActive: false } })
    expect(isAudible('flip')).toBe(false)
  })

  test('unless it is muted', () => {
    change('muted', true)
    expect(isAudible('turn')).toBe(false)
  })

  test('while the tab is in sight; otherwise only "your turn", where that is allowed', () => {
    hidden.mockReturnValue(true)
    expect(isAudible('turn')).toBe(false)
    change('notify', true)
    expect(isAudible('turn')).toBe(true)
    expect(isAudible('flip')).toBe(false)
  })
})
