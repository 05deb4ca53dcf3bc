import type { Catalogue } from '../language.svelte'
import { firstPageTexts } from '../firstPageTexts'
import texts from './en.json'

// Those of the features are in the same file of the build: one request.
const ofFeatures = import.meta.glob<Catalogue>('../../features/*/texts/en.json', { eager: true, import: 'default' })

// The name and the tagline of each game, from its own catalogue: the first page does not wait for the server's texts.
const names = import.meta.glob<string>('../../../../src/tavolino/games/*/texts/en.json', {
  eager: true,
  import: 'name',
})
const taglines = import.meta.glob<string>('../../../../src/tavolino/games/*/texts/en.json', {
  eager: true,
  import: 'tagline',
})

export default Object.assign(
  { ...texts },
  ...Object.values(ofFeatures),
  firstPageTexts({ name: names, tagline: taglines }),
) as Catalogue
