// Makes the sounds of the page with Web Audio: tones that glide and fade, and noise through a filter for paper and dust.

import { tunes, type Note } from './tunes'
import type { SoundName } from './sounds'

/** So many sounds at once; of more, the oldest fades. */
const MAX_VOICES = 3
const FADE = 0.03
const LOUDNESS = 0.5
/** Browsers have no setting for less sound: the first one is quiet, and the next ones less so. */
const QUIET_SOUNDS = 4
/** After so long without a sound the audio device is given back. */
const IDLE = 2000

interface Voice {
  out: GainNode
  end: number
}

let context: AudioContext | null = null
let noise: AudioBuffer | null = null
let voices: Voice[] = []
let played = 0
let idle: ReturnType<typeof setTimeout> | undefined

/** The share of the full loudness that the n-th sound of this page has. */
export function loudnessOf(n: number): number {
  return LOUDNESS * Math.min(1, (n + 1) / (QUIET_SOUNDS + 1))
}

export function play(name: SoundName): void {
  context ??= new AudioContext()
  void context.resume()
  const now = context.currentTime
  voices = voices.filter((voice) => voice.end > now)
  while (voices.length >= MAX_VOICES) {
    const { out } = voices.shift()!
    out.gain.setTargetAtTime(0, now, FADE)
  }
  const out = context.createGain()
  out.gain.value = loudnessOf(played)
  out.connect(context.destination)
  played += 1
  const notes = tunes[name]
  for (const note of notes) sound(context, note, now, out)
  const length = Math.max(...notes.map(({ at = 0, length }) => at + length))
  voices.push({ out, end: now + length })
  clearTimeout(idle)
  idle = setTimeout(() => void context?.suspend(), length * 1000 + IDLE)
}

function sound(audio: AudioContext, note: Note, now: number, out: AudioNode): void {
  const { at = 0, length, loud = 0.3, from, to = from, wave } = note
  const start = now + at
  const gain = audio.createGain()
  gain.gain.setValueAtTime(0.0001, start)
  gain.gain.exponentialRampToValueAtTime(loud, start + Math.min(0.012, length / 4))
  gain.gain.exponentialRampToValueAtTime(0.0001, start + length)
  gain.connect(out)
  if (wave === 'noise') {
    const source = audio.createBufferSource()
    const filter = audio.createBiquadFilter()
    source.buffer = noise ??= makeNoise(audio)
    source.loop = true
    filter.type = 'bandpass'
    filter.Q.value = 0.9
    filter.frequency.setValueAtTime(from, start)
    filter.frequency.exponentialRampToValueAtTime(to, start + length)
    source.connect(filter).connect(gain)
    source.start(start)
    source.stop(start + length)
    return
  }
  const source = audio.createOscillator()
  source.type = wave
  source.frequency.setValueAtTime(from, start)
  source.frequency.exponentialRampToValueAtTime(to, start + length)
  source.connect(gain)
  source.start(start)
  source.stop(start + length)
}

/** One second of noise, the same each time. */
function makeNoise(audio: AudioContext): AudioBuffer {
  const buffer = audio.createBuffer(1, audio.sampleRate, audio.sampleRate)
  const samples = buffer.getChannelData(0)
  let state = 22_222
  for (let i = 0; i < samples.length; i += 1) {
    state = (state * 16_807) % 2_147_483_647
    samples[i] = state / 1_073_741_823.5 - 1
  }
  return buffer
}
