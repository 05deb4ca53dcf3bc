// Pictures for people: eight objects on a café table, each a path in a box of 24 by 24 with even-odd filling, on a disk in
// one of six colours. The shapes differ without their colours.

const shapes = {
  cup: 'M3 7h14v2h2a3.5 3.5 0 0 1 0 7h-2.3A6.5 6.5 0 0 1 10 20A7 7 0 0 1 3 13zM17 11v3h1.8a1.5 1.5 0 0 0 0-3zM6 2h2v3H6zM11 2h2v3h-2z',
  moka: 'M9 1h6v2h-1l3 7h4v2.2h-3.2l-1.3-1.2L17.5 22h-11L8 11L5 3h4zM9.5 13.500h5l.4 3h-5.800z',
  lemon:
    'M3 20c-1-3 .3-5 .6-7C4.500 7 9 3.500 14 3.500c2 0 3-1.500 6-1.500c1.500 3 1 4 1 6c0 6-4.500 11-10 11c-3 0-5 .2-8 1zM12 7c-2.500.5-4.500 2.500-5 5l2 .5c.5-2 2-3.300 3.600-3.700z',
  croissant:
    'M2 17C1 9 6 3 13 3c5 0 8.500 2.500 9.500 6.500L19 12c-1-2.300-3-3.500-5.500-3c-3.500.6-4.700 3.500-4.500 7.500l-3.500 3zM11 4.500l1.500 4M6.200 8l4 2.500M3.500 13.500l5 1z',
  spoon:
    'M15 1.500c4 0 7 2.500 7 6s-3 5.500-6.500 5.500c-1.300 0-2.500-.3-3.400-.9L4.500 21.800a1.800 1.800 0 0 1-2.600-2.600L10 11.300c-.6-1-.9-2.200-.9-3.500c0-3.600 2.400-6.300 5.900-6.300z',
  cube: 'M3 9l6-6h12v12l-6 6H3zM5 11v8h8v-8zM15 10.200V18l4-4V6z',
  fish: 'M1 5l5 4.500C8.500 6.500 12 5 15 5c4 0 7 3 8 7c-1 4-4 7-8 7c-3 0-6.500-1.500-9-4.500L1 19l2-7zM17 9a1.600 1.600 0 1 0 0 3.200A1.600 1.600 0 1 0 17 9z',
  bird: 'M2 5c3-2 6-1 7.500 1.500L12 11l10-3c0 7-4 12.500-10.500 12.500c-4 0-7-2.500-7.500-6.500L4 8.500L1 7.500zM6.300 6a1.100 1.100 0 1 0 0 2.200a1.100 1.100 0 1 0 0-2.200z',
} as const

export type AvatarShape = keyof typeof shapes
export const avatarShapes = Object.keys(shapes) as AvatarShape[]
export const avatarInks = ['#b7331c', '#2c5f9e', '#2d6b45', '#6f4596', '#8a5412', '#37596b'] as const

/** The number under which a shape in a colour is known to the server. */
export const avatarOf = (shape: number, ink: number): number => ink * avatarShapes.length + shape

export function avatarParts(avatar: number): { shape: AvatarShape; path: string; ink: string; colour: number } {
  const shape = avatarShapes[avatar % avatarShapes.length]!
  const colour = Math.floor(avatar / avatarShapes.length) % avatarInks.length
  return { shape, path: shapes[shape], ink: avatarInks[colour]!, colour }
}
