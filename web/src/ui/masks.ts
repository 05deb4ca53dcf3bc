// A theatre mask from one kit of shapes, described as `head colour / top / eyes / marks`; Mask.svelte draws it.
// Nothing here is traced from anybody's pictures.

const inks: Record<string, string> = {
  ink: '#1f2536', white: '#fdf6e6', cream: '#f0dfbb', red: '#d5402f', blood: '#9c2a24', blue: '#3579c6', navy: '#2c4379', sky: '#8fc3e8',
  yellow: '#f2bf2b', gold: '#d9a22e', orange: '#ee8a2c', green: '#4aa352', moss: '#5f7a3a', lime: '#a5cf58', teal: '#2f9c9c',
  purple: '#8453ad', plum: '#5c3a7d', pink: '#f193b8', grey: '#98a1b0', steel: '#c5cbd6', slate: '#5d6780', brown: '#8a5a3b',
  bark: '#6b452c', sand: '#d8b57c', light: '#f1cda6', tan: '#d99f6c', dark: '#8b5a3c', ginger: '#c65a2a', blond: '#eac35c',
}

export type Head = 'oval' | 'square' | 'heart' | 'wide' | 'long' | 'skull' | 'hex'

export interface Mask {
  head: Head
  face: string
  /** Hair, helmet and the like, each with its colour. */
  tops: [string, string][]
  eyes: [string, string]
  marks: [string, string][]
}

function pairs(words: string): [string, string][] {
  return words
    .split(' ')
    .filter((word) => word !== '-' && word !== '')
    .map((word) => {
      const [name = '', colour = 'ink'] = word.split(':')
      return [name, inks[colour] ?? colour]
    })
}

const UNKNOWN = 'oval steel / - / dots / line'

export function readMask(description: string = UNKNOWN): Mask {
  const [base = '', tops = '', eyes = '', marks = ''] = description.split('/').map((part) => part.trim())
  const [head, face = 'steel'] = base.split(' ')
  return {
    head: head as Head,
    face: inks[face] ?? face,
    tops: pairs(tops),
    eyes: pairs(eyes)[0] ?? ['dots', inks.ink!],
    marks: pairs(marks),
  }
}
