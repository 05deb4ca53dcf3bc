// Short sounds, synthesized with Web Audio. Off unless the setting is on.

import { settings } from '../state/settings.svelte'

let context: AudioContext | null = null

function tone(
  frequency: number,
  start: number,
  length: number,
  kind: OscillatorType = 'triangle',
  loudness = 0.12,
): void {
  context ??= new AudioContext()
  const from = context.currentTime + start
  const voice = context.createOscillator()
  const gain = context.createGain()
  voice.type = kind
  voice.frequency.setValueAtTime(frequency, from)
  gain.gain.setValueAtTime(loudness, from)
  gain.gain.exponentialRampToValueAtTime(0.0001, from + length)
  voice.connect(gain).connect(context.destination)
  voice.start(from)
  voice.stop(from + length)
}

export const sounds = {
  card: () => tone(220, 0, 0.09, 'triangle', 0.16),
  turn: () => [523, 659].forEach((frequency, i) => tone(frequency, i * 0.12, 0.22)),
  win: () => [523, 659, 784, 1047].forEach((frequency, i) => tone(frequency, i * 0.13, 0.35)),
  end: () => [440, 392, 330].forEach((frequency, i) => tone(frequency, i * 0.16, 0.3)),
} as const

export function play(name: keyof typeof sounds): void {
  if (!settings.sound || typeof AudioContext === 'undefined') return
  sounds[name]()
}
