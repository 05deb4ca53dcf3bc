// The cards that are drawn: a mask for each character, names and effects in every language.
import { expect, test } from 'vitest'
import { masks as gauntletMasks } from '../../src/games/infinity-gauntlet/masks'
import { cards as gauntletCards } from '../../src/games/infinity-gauntlet/parts'
import { masks as characterMasks } from '../../src/games/splendor-marvel/masks'
import { cards as characters, locations } from '../../src/games/splendor-marvel/parts'
import { cardLabel } from '../../src/games/splendor-marvel/tooltips'
import { setTexts } from '../../src/i18n/language.svelte'
import { Sentences } from '../../src/i18n/sentences'
import { allTexts } from '../catalogues'

test('every character has a mask, and no mask is left over', () => {
  const people = Object.keys(gauntletCards).filter((id) => !gauntletCards[id]!.stone)
  expect(Object.keys(gauntletMasks).sort()).toEqual(people.sort())
  expect(Object.keys(characterMasks).sort()).toEqual(Object.keys(characters).sort())
})

test('a character looks the same in both games, and no two look alike', () => {
  for (const [id, mask] of Object.entries(gauntletMasks)) expect(characterMasks[id] ?? mask, id).toBe(mask)
  const looks = Object.values({ ...gauntletMasks, ...characterMasks })
  expect(new Set(looks).size).toBe(looks.length)
})

test.each(['en', 'it', 'pl'])('%s: every card has a name, every card of Infinity Gauntlet an effect', (language) => {
  const texts = allTexts(language)
  const keys = [
    ...Object.keys(gauntletCards).flatMap((id) => [`infinity-gauntlet.card.${id}`, `infinity-gauntlet.effect.${id}`]),
    ...Object.keys(characters).map((id) => `splendor-marvel.card.${id}`),
    ...Object.keys(locations).map((id) => `splendor-marvel.location.${id}`),
  ]
  expect(keys.filter((key) => !texts[key])).toEqual([])
})

test.each([
  ['en', 'Time Stone'],
  ['it', 'Gemma del Tempo'],
  ['pl', 'Kamień Czasu'],
])('%s: the label of a character names the Time Stone where the card brings it, and only there', (language, stone) => {
  setTexts(language, allTexts(language))
  const sentences = new Sentences('splendor-marvel', ['Ada', 'Bo'], 0)
  const named = Object.keys(characters).filter((id) => cardLabel(sentences, id).includes(stone))
  expect(named).toEqual(Object.keys(characters).filter((id) => characters[id]!.green))
  expect(named).not.toEqual([])
})
