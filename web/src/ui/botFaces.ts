// The faces of bots, by their number at the table, as their names (lib/seats.ts): six ways to serve a coffee, each a path in
// a box of 24 by 24 with even-odd filling. All have two eyes and a straight mouth, which no picture of a person has.

/** Two eyes around a point, and the mouth below. */
const face = (x: number, y: number) =>
  [-3, 3].map((eye) => `M${x + eye - 1.4} ${y}a1.4 1.4 0 1 0 2.8 0a1.4 1.4 0 1 0-2.8 0z`).join('') +
  `M${x - 2.3} ${y + 3}h4.6v1.4h-4.6z`

const espresso =
  'M3 8h14v6c0 4-3 7-7 7s-7-3-7-7zM18.5 9h1a3.6 3.6 0 0 1 0 7.2h-1.6l.4-2h1.200a1.600 1.600 0 0 0 0-3.200h-1zM9 2h2v4H9z'
const macchiato = 'M4.500 2h15l-1 4.500h-13zM5.700 8h12.600l-2 14.500h-8.600z'
const ristretto =
  'M5.500 8.500h13v5a6.500 5.500 0 0 1-13 0zM1 20.500h22l-2.500 2.500h-17zM8.500 2.500h2v4h-2zM13.500 2.500h2v4h-2z'
const cappuccino = 'M3 9c0-4.500 4-7.500 9-7.500s9 3 9 7.500zM1 10.500h22c0 7-4.500 12-11 12S1 17.500 1 10.500z'
const lungo =
  'M3.500 1.500h13.500v21H3.500zM18.500 6.500h1a3.500 3.500 0 0 1 3.500 3.500v4a3.500 3.500 0 0 1-3.500 3.500h-1v-2.500h1a1 1 0 0 0 1-1v-4a1 1 0 0 0-1-1h-1z'
const affogato =
  'M12 .5a5.500 5.500 0 0 1 5.500 6h-11A5.500 5.500 0 0 1 12 .5zM3 8h18c0 5.800-3 9.300-7.500 10V21H18v2.500H6V21h4.500v-3C6 17.300 3 13.800 3 8z'

const faces: readonly string[] = [
  espresso + face(10, 12),
  macchiato + face(12, 12.5),
  ristretto + face(12, 11.5),
  cappuccino + face(12, 14),
  lungo + face(10.25, 9),
  affogato + face(12, 10.7),
]

export const botFace = (number: number): string => faces[number % faces.length]!
