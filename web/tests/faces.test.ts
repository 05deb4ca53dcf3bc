import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { gauntletFaces } from '../src/art/infinityGauntletFaces'
import { maskNames } from '../src/art/masks'
import { costColours } from '../src/art/signs'
import { characterFaces, locationNeeds } from '../src/art/splendorMarvelFaces'
import { allTexts, root } from './catalogues'

const rows = (name: string) => {
  const [head, ...lines] = readFileSync(join(root, 'src/tavolino/games/splendor_marvel', name), 'utf8')
    .trim()
    .split(/\r?\n/)
  const names = head!.split(',')
  return lines.map((line) =>
    Object.fromEntries(
      (line.match(/("[^"]*"|[^,]*)(?:,|$)/g) ?? []).map((cell, i) => [
        names[i],
        cell.replace(/,$/, '').replace(/^"|"$/g, ''),
      ]),
    ),
  )
}
const idOf = (name: string) =>
  name === 'M.O.D.O.K.'
    ? 'm-o-d-o-k'
    : name
        .split(',')[0]!
        .toLowerCase()
        .replace(/[.']/g, '')
        .replace(/&/g, 'and')
        .replace(/[^a-z0-9]+/g, '-')

test('the drawn cards are the engine’s cards', () => {
  const cards = rows('cards.csv')
  expect(cards).toHaveLength(90)
  for (const card of cards) {
    const face = characterFaces.get(idOf(card.name!))
    expect(face, card.name).toMatchObject({
      level: Number(card.level),
      bonus: card.bonus,
      points: Number(card.points),
      avengers: Number(card.avengers),
      green: card.green === '1',
    })
    for (const colour of costColours) expect(face!.cost[colour], card.name).toBe(Number(card[colour]))
  }
})

test('the drawn locations are the engine’s locations', () => {
  for (const place of rows('locations.csv'))
    for (const colour of costColours)
      expect(locationNeeds.get(idOf(place.name!))?.[colour], place.name).toBe(Number(place[colour]))
})

test('every character has a mask of its own, and no mask is left over', () => {
  const wanted = new Set([
    ...characterFaces.keys(),
    ...[...gauntletFaces].filter(([, face]) => !face.stone).map(([id]) => id),
  ])
  expect([...wanted].filter((id) => !maskNames.includes(id))).toEqual([])
  expect(maskNames.filter((id) => !wanted.has(id))).toEqual([])
})

test.each(['en', 'it', 'pl'])('%s: every card has a name, every card of Infinity Gauntlet an effect', (language) => {
  const texts = allTexts(language)
  const keys = [
    ...[...gauntletFaces.keys()].flatMap((id) => [`infinity-gauntlet.card.${id}`, `infinity-gauntlet.effect.${id}`]),
    ...[...characterFaces.keys()].map((id) => `splendor-marvel.card.${id}`),
    ...[...locationNeeds.keys()].map((id) => `splendor-marvel.location.${id}`),
  ]
  expect(keys.filter((key) => !texts[key])).toEqual([])
})
