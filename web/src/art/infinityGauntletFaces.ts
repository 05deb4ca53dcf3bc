// What is printed on the cards of Infinity Gauntlet (IG-02, IG-03): the number, the sign of what the card does, its ground.

import type { SignName, Stone } from './signs'

export interface GauntletFace {
  number: number
  sign: SignName
  deck: 'hero' | 'thanos'
  stone: Stone | null
}

const heroSigns: SignName[] = ['guess', 'look', 'fight', 'token', 'foresee', 'rally']
const heroNames: string[][] = [
  ['nebula', 'spider-man', 'star-lord'],
  ['black-widow', 'gamora', 'ant-man-and-wasp'],
  ['captain-america', 'hulk', 'thor'],
  ['black-panther', 'falcon', 'doctor-strange'],
  ['scarlet-witch', 'vision'],
  ['captain-marvel', 'iron-man'],
]
const thanosCards: [string, number, SignName][] = [
  ['outrider', 1, 'guess'],
  ['corvus-glaive', 2, 'down'],
  ['black-dwarf', 3, 'fight'],
  ['proxima-midnight', 4, 'token'],
  ['ebony-maw', 5, 'sift'],
  ['thanos', 7, 'crown'],
]
const stoneCards: [Stone, number, SignName][] = [
  ['mind', 1, 'guess'],
  ['soul', 2, 'up'],
  ['space', 3, 'fight'],
  ['power', 4, 'token'],
  ['reality', 5, 'sift'],
  ['time', 6, 'copy'],
]

export const gauntletFaces: ReadonlyMap<string, GauntletFace> = new Map([
  ...heroNames.flatMap((names, i) =>
    names.map((id): [string, GauntletFace] => [id, { number: i + 1, sign: heroSigns[i]!, deck: 'hero', stone: null }]),
  ),
  ...thanosCards.map(([id, number, sign]): [string, GauntletFace] => [
    id,
    { number, sign, deck: 'thanos', stone: null },
  ]),
  ...stoneCards.map(([stone, number, sign]): [string, GauntletFace] => [
    `${stone}-stone`,
    { number, sign, deck: 'thanos', stone },
  ]),
])

/** Grounds of the hero cards, one for each number. */
export const heroGrounds = ['#f4cd63', '#93cfc2', '#f0a189', '#9fbdec', '#c9aee2', '#f2b263']
