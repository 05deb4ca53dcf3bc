// A mask as few paths as possible: a new card is drawn while a move is shown, and every element costs time.

import { readMask, type Mask } from './masks'
import { behind, heads, inside, lines, over } from './maskParts'

export interface Shape {
  d: string
  fill: string
  /** Without these: those of the whole mask. */
  stroke?: string
  width?: number
}

export interface Shapes {
  head: string
  under: Shape[]
  /** Cut off at the edge of the head. */
  clipped: Shape[]
  above: Shape[]
}

const INK = '#1f2536'
const WHITE = '#fdf6e6'
/** Two pupils, or two glasses, as one path. */
const pair = (left: number, right: number, y: number, r: number) => circle(left, y, r) + circle(right, y, r)
const circle = (x: number, y: number, r: number) =>
  `M${x - r} ${y}a${r} ${r} 0 1 1 ${2 * r} 0a${r} ${r} 0 1 1 ${-2 * r} 0Z`
const filled = (d: string, fill: string): Shape => ({ d, fill, stroke: 'none' })

/** What each kind of eyes consists of, given the colour of the lens and that of the eyes. */
const eyes: Record<string, (lens: string, ink: string) => Shape[]> = {
  dots: () => [filled(pair(37, 63, 53, 4.6), INK)],
  almond: () => [
    { d: 'M27 53Q36 44 45 54Q36 60 27 53ZM73 53Q64 44 55 54Q64 60 73 53Z', fill: WHITE, width: 2.8 },
    filled(pair(37, 63, 53, 3.6), INK),
    { d: 'M26 43Q35 37 45 43M74 43Q65 37 55 43', fill: 'none', width: 3 },
  ],
  glow: (lens) => [{ d: 'M25 49Q38 46 46 57Q33 62 25 49ZM75 49Q62 46 54 57Q67 62 75 49Z', fill: lens, width: 2.8 }],
  big: (lens) => [
    {
      d: 'M22 42Q42 42 47 60Q42 70 32 66Q22 58 22 42ZM78 42Q58 42 53 60Q58 70 68 66Q78 58 78 42Z',
      fill: lens,
      width: 4,
    },
  ],
  slits: (lens) => [{ d: 'M27 50L45 54V60L28 56ZM73 50L55 54V60L72 56Z', fill: lens, width: 2.6 }],
  angry: (lens) => [
    { d: 'M26 47L45 56Q36 63 27 57ZM74 47L55 56Q64 63 73 57Z', fill: lens, width: 2.8 },
    { d: 'M23 42L46 52M77 42L54 52', fill: 'none', width: 4.6 },
    filled(pair(36, 64, 55.5, 2.4), INK),
  ],
  wide: (lens) => [{ d: pair(36, 64, 52, 9), fill: lens, width: 3 }, filled(pair(37, 63, 53, 3.6), INK)],
  goggles: (_, ink) => [
    { d: 'M16 50H84', fill: 'none', width: 6 },
    { d: pair(36, 64, 52, 11), fill: ink, width: 4 },
    { d: 'M31 48Q34 44 38 45M59 48Q62 44 66 45', fill: 'none', stroke: WHITE, width: 2.6 },
  ],
  domino: (_, ink) => [
    { d: 'M18 44Q34 38 50 48Q66 38 82 44Q82 64 66 63Q56 62 50 56Q44 62 34 63Q18 64 18 44Z', fill: ink, width: 2.8 },
    filled('M28 52Q36 46 44 55Q35 59 28 52ZM72 52Q64 46 56 55Q65 59 72 52Z', WHITE),
  ],
  closed: () => [{ d: 'M27 53Q36 60 45 53M73 53Q64 60 55 53', fill: 'none' }],
  patch: () => [
    { d: 'M14 34L86 44', fill: 'none', width: 3 },
    { d: 'M53 44Q64 40 75 46Q76 62 64 62Q53 60 53 44Z', fill: INK },
    { d: 'M27 53Q36 44 45 54Q36 60 27 53Z', fill: WHITE, width: 2.8 },
    filled(circle(37, 53, 3.6), INK),
  ],
}
eyes.dominoblue = eyes.domino!

/** Marks over the eyes, in this order. */
const marksAbove: [string, Shape[]][] = [
  ['teeth', [{ d: 'M36 72H64V82H36ZM43 72V82M50 72V82M57 72V82', fill: WHITE, width: 2.4 }]],
  [
    'fangs',
    [
      { d: 'M30 70Q50 76 70 70Q66 88 50 88Q34 88 30 70Z', fill: INK, width: 2.4 },
      { d: 'M35 73L39 81L43 74L47 82L50 75L53 82L57 74L61 81L65 73', fill: WHITE, width: 1.4 },
    ],
  ],
  ['tongue', [{ d: 'M46 82Q46 100 56 98Q58 90 54 82Z', fill: '#d5402f', width: 2.4 }]],
  ['grin', [{ d: 'M30 70Q50 84 70 70Q64 86 50 86Q36 86 30 70Z', fill: WHITE, width: 2.6 }]],
  [
    'snout',
    [
      { d: 'M38 68Q50 58 62 68Q64 84 50 84Q36 84 38 68Z', fill: '#f0dfbb', width: 2.8 },
      filled('M44 66H56L50 73Z', INK),
    ],
  ],
]

function markShapes([mark, ink]: [string, string]): Shape[] {
  const shapes: Shape[] = []
  if (inside[mark]) shapes.push({ d: inside[mark], fill: ink, width: 2.6 })
  if (lines[mark])
    shapes.push({
      d: lines[mark],
      fill: mark === 'lips' ? '#b8343a' : 'none',
      stroke: ink,
      width: mark === 'crossmark' ? 6 : 2.8,
    })
  return shapes
}

function shapesOf({ head, face, tops, eyes: [eye, ink], marks }: Mask): Shapes {
  const parts = (kit: Record<string, string>): Shape[] =>
    tops.flatMap(([top, fill]) => (kit[top] ? [{ d: kit[top], fill }] : []))
  const star = marks.find(([mark]) => mark === 'star')
  return {
    head: heads[head],
    under: [...parts(behind), { d: heads[head], fill: face }],
    clipped: marks.flatMap(markShapes),
    above: [
      ...(eyes[eye]?.(ink === INK ? WHITE : ink, ink) ?? []),
      ...marksAbove.flatMap(([name, shapes]) => (marks.some(([mark]) => mark === name) ? shapes : [])),
      ...parts(over),
      ...(star ? [{ d: inside.star!, fill: star[1], width: 2.2 }] : []),
    ],
  }
}

const known = new Map<string | undefined, Shapes>()

export function readShapes(description: string | undefined): Shapes {
  let shapes = known.get(description)
  if (!shapes) known.set(description, (shapes = shapesOf(readMask(description))))
  return shapes
}
