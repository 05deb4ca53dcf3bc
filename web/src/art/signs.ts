// The signs of the house: one shape for each colour, stone and deed, the same everywhere. Each is drawn in a box of
// 24 by 24 with even-odd filling, so that a shape with a hole needs no second colour and survives print in black and white.

export const signs = {
  // Infinity Stones, and with them the gems of Splendor.
  ring: 'M12 1.5a10.5 10.5 0 1 1 0 21a10.5 10.5 0 1 1 0-21zM12 5.7a6.3 6.3 0 1 0 0 12.6a6.3 6.3 0 1 0 0-12.6zM12 9.2a2.8 2.8 0 1 1 0 5.6a2.8 2.8 0 1 1 0-5.6z',
  drop: 'M12 1C15.5 6 20 10.6 20 15.2a8 8 0 0 1-16 0C4 10.6 8.5 6 12 1zM8 13.2c-1.4 3 .3 6.2 3.4 6.6c-2.3-1.3-3.3-3.6-3.4-6.6z',
  cube: 'M12 1l9.6 5.5v11L12 23l-9.6-5.5v-11zM12 3.9L6.3 7.2L12 10.4l5.7-3.2zM4.8 9.5v6.7l5.9 3.4v-6.8zM19.2 9.5l-5.9 3.3v6.8l5.9-3.4z',
  bolt: 'M14.5 1L3.5 13.6h6.2L7.6 23L20.5 9.4h-7z',
  eye: 'M12 4.5c5.2 0 9 3.7 11.2 7.5c-2.2 3.8-6 7.5-11.2 7.5S3 15.8.8 12C3 8.2 6.8 4.5 12 4.5zM12 7.3a4.7 4.7 0 1 0 0 9.4a4.7 4.7 0 1 0 0-9.4zM12 10a2 2 0 1 1 0 4a2 2 0 1 1 0-4z',
  hourglass: 'M4 1h16v3.2h-1.6c0 3.6-2 5.7-4.3 7.8c2.3 2.1 4.3 4.2 4.3 7.8H20V23H4v-3.2h1.6c0-3.6 2-5.7 4.3-7.8C7.6 9.9 5.6 7.8 5.6 4.2H4zM9.3 19.8h5.4c-.2-1.7-1.3-3-2.7-4.3c-1.4 1.3-2.5 2.6-2.7 4.3z',
  shield: 'M12 1l9.5 3v7.5c0 5.6-4 9.5-9.5 11.5C6.5 21 2.5 17.1 2.5 11.5V4zM12 4.4L5.6 6.4v5.1c0 3.7 2.5 6.5 6.4 8.1z',
  // Mantis.
  circle: 'M12 2a10 10 0 1 1 0 20a10 10 0 1 1 0-20z',
  triangle: 'M12 2L23 21.5H1z',
  sun: 'M12 0l2.1 4.3l4.3-2.2l-.3 4.8l4.8.3l-2.6 4l3.7 3l-4.3 2.1l1.4 4.6l-4.7-.9l-1.5 4.5L12 21l-2.9 3.5l-1.5-4.5l-4.7.9l1.4-4.6L0 14.2l3.7-3l-2.6-4l4.8-.3l-.3-4.8l4.3 2.2zM12 8a4.2 4.2 0 1 0 0 8.4a4.2 4.2 0 1 0 0-8.4z',
  leaf: 'M22 2C9 1 2 6.5 2 14.5c0 2 .6 3.7 1.5 5L2 22l1.6 1l1.7-2.3C13.5 24 23 17 22 2zM18 6.5C12 9 8 13 5.4 18.2C6.5 12.5 11 8 18 6.5z',
  wave: 'M1 9.5C4.5 4 8 4 12 8s7.5 4 11-1.2v5.4c-3.5 5.2-7 5.2-11 1.2s-7.5-4-11 1.5zM1 17.5C4.5 12 8 12 12 16s7.5 4 11-1.2v5.4c-3.5 5.2-7 5.2-11 1.2s-7.5-4-11 1.5z',
  diamond: 'M12 .5L22 12L12 23.5L2 12zM12 6.2L7 12l5 5.8l5-5.8z',
  heart: 'M12 22C5 16.5 1 12.5 1 7.8C1 4.4 3.6 2 6.7 2C9 2 11 3.2 12 5.2C13 3.2 15 2 17.3 2C20.4 2 23 4.4 23 7.8C23 12.5 19 16.5 12 22z',
  // What the cards of Infinity Gauntlet do.
  guess: 'M12 1a11 11 0 1 1 0 22a11 11 0 1 1 0-22zM8 8.8h2.6c0-1.2.6-1.8 1.6-1.8c.9 0 1.5.5 1.5 1.4c0 1-.7 1.4-1.5 2.1c-.9.7-1.5 1.5-1.4 3.2h2.5c0-1 .5-1.5 1.4-2.2c.9-.7 1.7-1.6 1.7-3.2C16.4 6 14.7 4.7 12.2 4.7C9.7 4.7 8 6.2 8 8.8zM10.6 15.2v2.8h2.8v-2.8z',
  look: 'M10 1a9 9 0 0 1 7.2 14.4l5.8 5.7l-2.2 2.2l-5.8-5.8A9 9 0 1 1 10 1zM10 4.2a5.8 5.8 0 1 0 0 11.6a5.8 5.8 0 1 0 0-11.6z',
  fight: 'M1.5 1.5l5 .8l6 6l5.9-6l4.1-.8l-.8 4.1l-6.5 6.6l3 3l1.7-1.7l1.6 1.6l-2.2 2.2l3 3l-2.2 2.2l-3-3l-2.2 2.2l-1.6-1.6l1.7-1.7l-3-3l-3 3l1.7 1.7l-1.6 1.6l-2.2-2.2l-3 3l-2.2-2.2l3-3L2.5 15l1.6-1.6l1.7 1.7l3-3L2.3 6.4z',
  token: 'M12 .5l2.7 3.3l4.2-.9l.4 4.3l4 1.7l-2.2 3.6l2.2 3.6l-4 1.7l-.4 4.3l-4.2-.9L12 24.5l-2.7-3.3l-4.2.9l-.4-4.3l-4-1.7l2.2-3.6L.7 8.9l4-1.7l.4-4.3l4.2.9zM12 6.5l-5 5h3.2v6h3.6v-6H17z',
  foresee: 'M1.5 7.5L9 5.2l4.5 14.4L6 22zM9.8 2h6.4l4.3 15.5l-5.8 1.7L10.3 5zM18.5 4.5l4 1.2l-2 7z',
  rally: 'M4 1h2.6v1.5c4-2 7 1.6 15.4-.5l-3 6l3 6c-8.4 2.1-11.4-1.5-15.4.5V23H4zM11.5 5l1 2.1l2.3.2l-1.8 1.5l.6 2.2l-2.1-1.2l-2 1.2l.5-2.3l-1.7-1.5l2.3-.2z',
  force: 'M2 4h4.6l5.4 7l5.4-7H22l-6.6 8l6.6 8h-4.6L12 13l-5.4 7H2l6.6-8z',
  sift: 'M12 1l7 7h-4.2v7H19l-7 8l-7-8h4.2V8H5z',
  copy: 'M8 1h13v16h-4v6H3V7h5zM11 4v10h7V4z',
  // Everything else on a table.
  star: 'M12 1l3.2 7.2l7.8.8l-5.9 5.2l1.7 7.7L12 17.9L5.2 21.9l1.7-7.7L1 9l7.8-.8z',
  avengers: 'M12 .8a11.2 11.2 0 1 1 0 22.4a11.2 11.2 0 1 1 0-22.4zM12 4l2.5 5.4l5.9.6l-4.4 4l1.2 5.8L12 16.8l-5.2 3l1.2-5.8l-4.4-4l5.9-.6z',
  cards: 'M7 1h14v18h-3V4H7zM2 6h14v17H2z',
  again: 'M12 3.5V0l6 5l-6 5V6.5a5.7 5.7 0 1 0 5.5 7.3h3A8.6 8.6 0 1 1 12 3.5z',
  grab: 'M5 10V4.5a1.7 1.7 0 0 1 3.4 0V9h.8V2.7a1.7 1.7 0 0 1 3.4 0V9h.8V3.5a1.7 1.7 0 0 1 3.4 0V10h.8V6.5a1.7 1.7 0 0 1 3.4 0V15c0 5-3.5 8.5-8 8.5S5 20.5 3.5 16.5L1 11.8c1.5-1.5 2.8-.9 4 .700z',
  both: 'M5 1h14v5.5c0 3.8-2 6.3-5 7.2v3.8h4V23H6v-5.5h4v-3.8c-3-.9-5-3.4-5-7.2zM.5 3H4v6C1.7 8.5.5 6.5.5 3zM23.5 3H20v6c2.3-.5 3.5-2.5 3.5-6z',
  crown: 'M1.5 6l5.7 4.6L12 2l4.8 8.6L22.5 6L20 18H4zM4 19.8h16V23H4z',
  lock: 'M6 10V7.5a6 6 0 0 1 12 0V10h2.5v13h-17V10zM9 10h6V7.5a3 3 0 0 0-6 0z',
  clock: 'M12 1a11 11 0 1 1 0 22a11 11 0 1 1 0-22zM12 4.2a7.8 7.8 0 1 0 0 15.6a7.8 7.8 0 1 0 0-15.6zM10.6 6.5h2.8v4.8l3.6 2.2l-1.4 2.3l-5-3z',
  bulb: 'M12 1a8 8 0 0 1 4.5 14.6V18h-9v-2.4A8 8 0 0 1 12 1zM8 19.5h8V21l-2 2h-4l-2-2z',
  book: 'M2 3c4-1 7-.5 10 1.5C15 2.5 18 2 22 3v17c-4-1-7-.5-10 1.5C9 19.5 6 19 2 20zM5 5.7v11.2c2-.2 4 .1 5.7.9V6.9C9 5.9 7 5.5 5 5.7z',
  speech: 'M3 2h18a2 2 0 0 1 2 2v11a2 2 0 0 1-2 2h-9l-6 5.5V17H3a2 2 0 0 1-2-2V4a2 2 0 0 1 2-2z',
  gear: 'M10 1h4l.6 3l2.3 1l2.6-1.7l2.8 2.8L20.6 8.7l1 2.3l2.4.5v3l-2.6.6l-1 2.3l1.7 2.6l-2.8 2.8l-2.6-1.7l-2.3 1L14 23h-4l-.6-2.9l-2.3-1l-2.6 1.7L1.7 18l1.7-2.6l-1-2.3L0 12.5v-3l2.6-.5l1-2.3L1.9 4.1l2.8-2.8l2.6 1.7l2.3-1zM12 8a4 4 0 1 0 0 8a4 4 0 1 0 0-8z',
  moon: 'M12 1a11 11 0 1 1 0 22a11 11 0 1 1 0-22zM12 4v16a8 8 0 0 0 0-16z',
  list: 'M2 3h4v4H2zM8.5 3.5H22v3H8.5zM2 10h4v4H2zM8.5 10.5H22v3H8.5zM2 17h4v4H2zM8.5 17.5H22v3H8.5z',
  check: 'M2 12.5l3-3.2l4.7 4.5L19.5 3l3.2 2.9L9.9 20.5z',
  cross: 'M4.5 1.5L12 9l7.5-7.5l3 3L15 12l7.5 7.5l-3 3L12 15l-7.5 7.5l-3-3L9 12L1.5 4.5z',
  up: 'M12 4l10 11l-2.6 2.5L12 9.5l-7.4 8L2 15z',
  down: 'M12 20L2 9l2.6-2.5L12 14.5l7.4-8L22 9z',
  play: 'M5 2l16 10L5 22z',
  pause: 'M4 2h6v20H4zM14 2h6v20h-6z',
  person: 'M12 1.5a5.2 5.2 0 1 1 0 10.4a5.2 5.2 0 1 1 0-10.4zM2 23c0-6 4.5-9.5 10-9.5S22 17 22 23z',
  bot: 'M10.6 1h2.8v3.5H20v15H4v-15h6.6zM8.5 9a2 2 0 1 0 0 4a2 2 0 1 0 0-4zM15.5 9a2 2 0 1 0 0 4a2 2 0 1 0 0-4zM8 15.3v1.9h8v-1.9zM0 9.5h2.5v6H0zM21.5 9.5H24v6h-2.5z',
  link: 'M10 6h-3.5a6 6 0 0 0 0 12H10v-3H6.5a3 3 0 0 1 0-6H10zM14 6v3h3.5a3 3 0 0 1 0 6H14v3h3.5a6 6 0 0 0 0-12zM8 10.5h8v3H8z',
  sound: 'M2 8h4l7-6v20l-7-6H2zM16 6.5c4 2 4 9 0 11zM18.5 2.5c7 4 7 15 0 19v-2.7c4.5-3.3 4.5-10.3 0-13.6z',
} as const

export type SignName = keyof typeof signs

export type GemColour = 'yellow' | 'blue' | 'red' | 'orange' | 'purple' | 'grey' | 'green'
export type MantisColour = 'red' | 'orange' | 'yellow' | 'green' | 'blue' | 'purple' | 'pink'
export type Stone = 'mind' | 'soul' | 'space' | 'power' | 'reality' | 'time'

export const gemColours: readonly GemColour[] = ['yellow', 'blue', 'red', 'orange', 'purple', 'grey', 'green']
export const costColours = ['yellow', 'blue', 'red', 'orange', 'purple'] as const
export const mantisColours: readonly MantisColour[] = ['red', 'orange', 'yellow', 'green', 'blue', 'purple', 'pink']
export const stones: readonly Stone[] = ['mind', 'soul', 'space', 'power', 'reality', 'time']

export const gemSign: Record<GemColour, SignName> = {
  yellow: 'ring', blue: 'cube', red: 'eye', orange: 'drop', purple: 'bolt', grey: 'shield', green: 'hourglass',
}
export const gemInk: Record<GemColour, string> = {
  yellow: '#f2bf2b', blue: '#3579c6', red: '#d5402f', orange: '#ee8a2c', purple: '#8453ad', grey: '#98a1b0', green: '#35a06d',
}
export const mantisSign: Record<MantisColour, SignName> = {
  red: 'circle', orange: 'triangle', yellow: 'sun', green: 'leaf', blue: 'wave', purple: 'diamond', pink: 'heart',
}
export const mantisInk: Record<MantisColour, string> = {
  red: '#dc3d2e', orange: '#f0872a', yellow: '#f6cb37', green: '#4aa352', blue: '#3576c9', purple: '#8353ae', pink: '#f193b8',
}
export const stoneColour: Record<Stone, GemColour> = {
  mind: 'yellow', soul: 'orange', space: 'blue', power: 'purple', reality: 'red', time: 'green',
}
