// The room for the stage on a phone: between the places of others and the dock.
import { afterEach, expect, test } from 'vitest'
import { freeBetween } from '../src/table/places'

afterEach(() => document.body.replaceChildren())

/** A table whose parts lie at these heights. */
function table(parts: Record<string, [number, number]>) {
  document.body.innerHTML =
    '<div class="others"></div><div class="board"><div class="plate mine"></div></div><div class="dock"></div>'
  for (const [selector, [top, bottom]] of Object.entries(parts))
    document.querySelector(selector)!.getBoundingClientRect = () => new DOMRect(0, top, 390, bottom - top)
}

const LOW = { '.others': [0, 85], '.mine': [355, 405], '.dock': [412, 664] } as Record<string, [number, number]>

test('it begins below the places of others and ends at the dock', () => {
  table(LOW)
  expect(freeBetween(false)).toEqual({ top: 85, bottom: innerHeight - 412 })
})

test('it ends at the viewer’s own place if that is the target', () => {
  table(LOW)
  expect(freeBetween(true)).toEqual({ top: 85, bottom: innerHeight - 355 })
})

test('places that reach far down leave no room, and what is above the window takes none', () => {
  table({ ...LOW, '.others': [0, 500] })
  expect(freeBetween(false).top).toBe(0)
  table({ ...LOW, '.others': [-200, -100] })
  expect(freeBetween(false).top).toBe(0)
})
