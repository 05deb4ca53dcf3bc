// Where things lie on the table: elements with `data-place`.

/** The box of a place: the finest that the table marks (`tank-2-red`, else `tank-2`); of a list that grows, its newest
 *  element. */
export function boxOf(place: string): DOMRect | undefined {
  const found = document.querySelector<HTMLElement>(`[data-place="${CSS.escape(place)}"]`)
  if (found) return (('grows' in found.dataset && found.lastElementChild) || found).getBoundingClientRect()
  const coarser = place.replace(/-[^-]*$/, '')
  return coarser === place ? undefined : boxOf(coarser)
}

/** What the stage shows large, if it travels to a place on the table afterwards. */
export const ON_STAGE = 'stage'
