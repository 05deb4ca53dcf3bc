// The page's own texts, and the games' names from the games' own catalogues: enough for the first page.
import { name as gauntlet } from '../../../src/tavolino/games/infinity_gauntlet/texts/it.json'
import { name as mantis } from '../../../src/tavolino/games/mantis/texts/it.json'
import { name as splendor } from '../../../src/tavolino/games/splendor_marvel/texts/it.json'
import ours from './it.json'

const texts: Record<string, string> = {
  ...ours,
  'infinity-gauntlet.name': gauntlet,
  'mantis.name': mantis,
  'splendor-marvel.name': splendor,
}
export default texts
