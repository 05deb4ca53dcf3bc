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

/** How far from the top and from the bottom of the window the room between the places of others and the dock is. It ends
 *  at the viewer's own place if that has to stay in sight. */
export function freeBetween(isOwnInSight: boolean): { top: number; bottom: number } {
  const edge = (selector: string) => document.querySelector(selector)?.getBoundingClientRect()
  const top = Math.max(0, edge('.others')?.bottom ?? 0)
  const lowest = (isOwnInSight && edge('.board .plate.mine')?.top) || edge('.dock')?.top || innerHeight
  const bottom = Math.max(0, innerHeight - lowest)
  // Places that lie elsewhere leave no room between them.
  return top < lowest && top < innerHeight / 2 ? { top, bottom } : { top: 0, bottom }
}
