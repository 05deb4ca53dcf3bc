// What is printed on the 90 cards and the 8 location sides of Splendor: Marvel. A test compares it with the engine's own data.

import { costColours, type GemColour } from './signs'

export type Cost = Record<(typeof costColours)[number], number>

export interface CharacterFace {
  level: 1 | 2 | 3
  bonus: GemColour
  points: number
  avengers: number
  green: boolean
  cost: Cost
}

// id, level, bonus, points, Avengers symbols, then the cost in yellow, blue, red, orange, purple. Level 3 bears the Time Stone.
const cards: [string, 1 | 2 | 3, GemColour, number, number, string][] = [
  ['baron-zemo', 1, 'yellow', 0, 0, '00300'],
  ['rocket', 1, 'yellow', 0, 0, '10200'],
  ['grandmaster', 1, 'yellow', 0, 0, '11101'],
  ['m-o-d-o-k', 1, 'yellow', 0, 0, '00220'],
  ['prowler', 1, 'yellow', 0, 0, '01211'],
  ['spider-woman', 1, 'yellow', 0, 1, '11300'],
  ['squirrel-girl', 1, 'yellow', 0, 1, '00212'],
  ['vulture', 1, 'yellow', 1, 0, '00400'],
  ['moon-knight', 1, 'blue', 0, 0, '30000'],
  ['spider-man-2099', 1, 'blue', 0, 0, '20100'],
  ['elektra', 1, 'blue', 0, 0, '20002'],
  ['lockjaw', 1, 'blue', 0, 0, '11011'],
  ['bullseye', 1, 'blue', 0, 0, '01211'],
  ['valkyrie', 1, 'blue', 0, 1, '30011'],
  ['wasp', 1, 'blue', 0, 1, '21020'],
  ['taskmaster', 1, 'blue', 1, 0, '40000'],
  ['electro', 1, 'red', 0, 0, '00120'],
  ['mysterio', 1, 'red', 0, 0, '00030'],
  ['crystal', 1, 'red', 0, 0, '00022'],
  ['triton', 1, 'red', 0, 0, '11110'],
  ['ms-marvel', 1, 'red', 0, 1, '20120'],
  ['quake', 1, 'red', 0, 1, '01031'],
  ['wong', 1, 'red', 0, 0, '11120'],
  ['sandman', 1, 'red', 1, 0, '00040'],
  ['kingpin', 1, 'orange', 0, 0, '10002'],
  ['silver-sable', 1, 'orange', 0, 0, '00003'],
  ['spider-ham', 1, 'orange', 0, 0, '10002'],
  ['spider-girl', 1, 'orange', 0, 0, '11011'],
  ['hawkeye', 1, 'orange', 0, 1, '12002'],
  ['kate-bishop', 1, 'orange', 0, 1, '01103'],
  ['scarlet-spider', 1, 'orange', 0, 0, '01112'],
  ['yondu', 1, 'orange', 1, 0, '00004'],
  ['kraven', 1, 'purple', 0, 0, '03000'],
  ['lizard', 1, 'purple', 0, 0, '02001'],
  ['gorgon', 1, 'purple', 0, 0, '22000'],
  ['rhino', 1, 'purple', 0, 0, '11011'],
  ['abomination', 1, 'purple', 0, 0, '02111'],
  ['america-chavez', 1, 'purple', 0, 1, '13100'],
  ['winter-soldier', 1, 'purple', 0, 1, '02210'],
  ['scorpion', 1, 'purple', 1, 0, '04000'],
  ['maria-hill', 2, 'yellow', 1, 1, '02032'],
  ['shuri', 2, 'yellow', 1, 1, '32030'],
  ['the-collector', 2, 'yellow', 2, 0, '00050'],
  ['maximus', 2, 'yellow', 2, 0, '02140'],
  ['karnak', 2, 'yellow', 2, 0, '30050'],
  ['red-skull', 2, 'yellow', 3, 0, '00060'],
  ['war-machine', 2, 'blue', 1, 1, '02023'],
  ['quicksilver', 2, 'blue', 1, 1, '20303'],
  ['miles-morales', 2, 'blue', 2, 0, '00005'],
  ['ghost-spider', 2, 'blue', 2, 0, '02014'],
  ['black-cat', 2, 'blue', 2, 0, '00305'],
  ['nebula', 2, 'blue', 3, 0, '00006'],
  ['scarlet-witch', 2, 'red', 1, 1, '23200'],
  ['beta-ray-bill', 2, 'red', 1, 1, '03320'],
  ['venom', 2, 'red', 2, 0, '05000'],
  ['ghost-rider', 2, 'red', 2, 0, '24001'],
  ['medusa', 2, 'red', 2, 0, '05030'],
  ['hela', 2, 'red', 3, 0, '06000'],
  ['nick-fury', 2, 'orange', 1, 1, '00322'],
  ['falcon', 2, 'orange', 1, 1, '30302'],
  ['punisher', 2, 'orange', 2, 0, '00500'],
  ['star-lord', 2, 'orange', 2, 0, '01420'],
  ['groot', 2, 'orange', 2, 0, '00503'],
  ['daredevil', 2, 'orange', 3, 0, '00600'],
  ['she-hulk', 2, 'purple', 1, 1, '30022'],
  ['okoye', 2, 'purple', 1, 1, '32003'],
  ['ronan', 2, 'purple', 2, 0, '50000'],
  ['crossbones', 2, 'purple', 2, 0, '42010'],
  ['carnage', 2, 'purple', 2, 0, '50300'],
  ['jessica-jones', 2, 'purple', 3, 0, '60000'],
  ['iron-man', 3, 'yellow', 3, 2, '35330'],
  ['doctor-octopus', 3, 'yellow', 4, 0, '07000'],
  ['vision', 3, 'yellow', 4, 1, '36300'],
  ['green-goblin', 3, 'yellow', 5, 0, '07003'],
  ['black-widow', 3, 'blue', 3, 2, '33503'],
  ['iron-fist', 3, 'blue', 4, 0, '00700'],
  ['ant-man', 3, 'blue', 4, 1, '30630'],
  ['gamora', 3, 'blue', 5, 0, '00730'],
  ['thor', 3, 'red', 3, 2, '33305'],
  ['doctor-strange', 3, 'red', 4, 1, '00007'],
  ['nova', 3, 'red', 4, 0, '00336'],
  ['loki', 3, 'red', 5, 0, '03007'],
  ['captain-america', 3, 'orange', 3, 2, '53033'],
  ['black-bolt', 3, 'orange', 4, 0, '70000'],
  ['black-panther', 3, 'orange', 4, 1, '60033'],
  ['spider-man', 3, 'orange', 5, 0, '70300'],
  ['hulk', 3, 'purple', 3, 2, '03353'],
  ['drax', 3, 'purple', 4, 0, '00070'],
  ['captain-marvel', 3, 'purple', 4, 1, '03063'],
  ['luke-cage', 3, 'purple', 5, 0, '30070'],
]

const sides: [string, string][] = [
  ['avengers-tower', '44000'],
  ['attilan', '00404'],
  ['hells-kitchen', '40040'],
  ['triskelion', '00044'],
  ['asgard', '30033'],
  ['wakanda', '04400'],
  ['knowhere', '33300'],
  ['atlantis', '03303'],
]

function cost(digits: string): Cost {
  return Object.fromEntries(costColours.map((colour, i) => [colour, Number(digits[i])])) as Cost
}

export const characterFaces: ReadonlyMap<string, CharacterFace> = new Map(
  cards.map(([id, level, bonus, points, avengers, digits]) => [
    id,
    { level, bonus, points, avengers, green: level === 3, cost: cost(digits) },
  ]),
)

export const locationNeeds: ReadonlyMap<string, Cost> = new Map(sides.map(([id, digits]) => [id, cost(digits)]))
