// The sounds as notes: when they begin, how long they last, which pitch they glide from and to, and their wave.

import type { SoundName } from './sounds'

export interface Note {
  /** In seconds. */
  at?: number
  length: number
  /** In hertz; of noise, the middle of the band that is heard. */
  from: number
  to?: number
  wave: 'sine' | 'triangle' | 'square' | 'noise'
  loud?: number
}

const bell = (at: number, pitch: number, length = 0.4, loud = 0.22): Note[] => [
  { at, length, from: pitch, wave: 'sine', loud },
  { at, length: length * 0.6, from: pitch * 2.76, wave: 'sine', loud: loud * 0.25 },
]
const melody = (pitches: readonly number[], step: number, length: number): Note[] =>
  pitches.flatMap((pitch, i) => bell(i * step, pitch, length))

export const tunes: Readonly<Record<SoundName, readonly Note[]>> = {
  // Paper on cloth.
  flip: [
    { length: 0.07, from: 1800, to: 4200, wave: 'noise', loud: 0.35 },
    { at: 0.07, length: 0.06, from: 240, to: 150, wave: 'triangle', loud: 0.3 },
  ],
  match: melody([659, 880], 0.09, 0.35),
  // A stack is dragged across.
  theft: [
    { length: 0.28, from: 900, to: 2600, wave: 'noise', loud: 0.4 },
    { at: 0.2, length: 0.22, from: 520, to: 260, wave: 'triangle', loud: 0.3 },
  ],
  hit: [
    { length: 0.16, from: 170, to: 55, wave: 'sine', loud: 0.7 },
    { length: 0.09, from: 1200, to: 400, wave: 'noise', loud: 0.5 },
  ],
  // A chip on chips.
  token: [
    { length: 0.05, from: 2300, wave: 'triangle', loud: 0.2 },
    { at: 0.06, length: 0.08, from: 1750, wave: 'triangle', loud: 0.18 },
  ],
  stone: [...melody([392, 587, 784], 0.07, 0.7), { length: 0.7, from: 196, wave: 'sine', loud: 0.2 }],
  snap: [
    ...melody([262, 330, 392, 523, 659, 784], 0.1, 0.5),
    { at: 0.95, length: 0.05, from: 3200, to: 1600, wave: 'noise', loud: 0.9 },
    { at: 0.98, length: 0.9, from: 90, to: 32, wave: 'sine', loud: 0.8 },
    { at: 1.1, length: 2, from: 5200, to: 700, wave: 'noise', loud: 0.25 },
  ],
  turn: melody([523, 659], 0.12, 0.4),
  message: melody([880, 1175], 0.07, 0.2),
  win: melody([523, 659, 784, 1047], 0.13, 0.6),
  loss: melody([440, 392, 330], 0.18, 0.5),
}
