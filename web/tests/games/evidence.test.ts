// What follows from the cards is drawn on the board, only from the viewer's own notebook.
import { expect, test } from 'vitest'
import mantis from '../../src/games/mantis'
import { impossibleFronts } from '../../src/games/mantis/evidence'
import type { View as MantisView } from '../../src/games/mantis/view'
import splendor from '../../src/games/splendor-marvel'
import { lacksText } from '../../src/games/splendor-marvel/tooltips'
import type { View as SplendorView } from '../../src/games/splendor-marvel/view'
import { setTexts } from '../../src/i18n/language.svelte'
import type { Scene } from '../../src/table/scene'
import { allTexts } from '../catalogues'
import { draw, recorded } from '../recorded'

setTexts('en', allTexts('en'))

/** The table of a moment at which somebody decides, with other possible cards on top. */
function mantisWith(top: string[]) {
  const { seat: view } = recorded('mantis').find(({ seat }) => !seat.over && seat.draw)!
  const back = ['red', 'green', 'blue']
  const changed = { ...view, draw: { size: 9, back } } as typeof view
  return { view: changed, notes: { places: { draw: { top } }, unseen_colours: {}, unseen_icons: {} } }
}

test('colours that the top card cannot have are those of no possible card', () => {
  const { view, notes } = mantisWith(['red:green+blue', 'blue:red+green'])
  const scene = { view, notes } as unknown as Scene<MantisView>
  expect(impossibleFronts(scene)).toEqual(['green'])
  expect(impossibleFronts({ ...scene, notes: null })).toEqual([])
})

test('a notebook of another top card crosses nothing out', () => {
  const { view, notes } = mantisWith(['red:green+pink'])
  expect(impossibleFronts({ view, notes } as unknown as Scene<MantisView>)).toEqual([])
})

test('they are crossed out on the back, and said in words', () => {
  const { view, notes } = mantisWith(['red:green+blue', 'blue:red+green'])
  const { container } = draw(mantis, view, notes)
  const label = container.querySelector('.pile .top')?.getAttribute('aria-label')
  expect(label).toContain('It cannot be: green.')
  expect(container.querySelectorAll('.pile [data-impossible]')).toHaveLength(1)
})

test('what a hint speaks of is marked', () => {
  const { seat: view } = recorded('splendor-marvel').find(({ seat }) => !seat.over)!
  const card = Object.values((view as unknown as SplendorView).rows)
    .flat()
    .find((id) => id !== null)!
  const none = draw(splendor, view)
  expect(none.container.querySelectorAll('.hint-mark')).toHaveLength(0)
  none.unmount()
  const { container } = draw(splendor, view, undefined, { cards: [card], seats: [1] })
  expect(container.querySelectorAll('.spot .hint-mark')).toHaveLength(1)
  expect(container.querySelectorAll('.plate > .hint-mark')).toHaveLength(1)
})

test('what is missing to recruit a card is named by colour, less what grey tokens replace', () => {
  const { seat } = recorded('splendor-marvel').find(({ seat }) => !seat.over)!
  const { scene } = draw(splendor, seat)
  const view = structuredClone(seat) as unknown as SplendorView
  const none = { yellow: 0, blue: 0, red: 0, orange: 0, purple: 0 }
  const own = view.seats[view.seat!]!
  own.tokens = { ...none, red: 1, grey: 1, green: 0 }
  view.prices = { wong: { ...none, red: 2, blue: 1, grey_needed: 2 } }
  expect(lacksText(view, scene.sentences, 'wong')).toBe(
    'To recruit, you still need blue ×1, red ×1. Your grey token covers one of them.',
  )
  own.tokens.grey = 2
  expect(lacksText(view, scene.sentences, 'wong')).toBe('')
})
