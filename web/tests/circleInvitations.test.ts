// In the waiting room: showing the table to a circle.
import { cleanup, fireEvent, render } from '@testing-library/svelte'
import { afterEach, expect, test, vi } from 'vitest'
import RoomSide from '../src/features/circle_invitations/RoomSide.svelte'
import { setTexts } from '../src/i18n/language.svelte'
import { allTexts } from './catalogues'

afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

const circles = [
  { id: 'c1', name: 'Thursday', members: 3 },
  { id: 'c2', name: 'Only me', members: 1 },
]

async function opened(accepts: boolean) {
  setTexts('en', allTexts('en'))
  vi.stubGlobal('fetch', () => Promise.resolve(Response.json(circles)))
  const sent: object[] = []
  const ask = (command: object) => Promise.resolve(sent.push(command) > 0 && accepts)
  const { container, findByTestId } = render(RoomSide, { play: { ask } as never })
  await findByTestId('invite-circles')
  return { sent, buttons: [...container.querySelectorAll('button')] }
}

test('a table is shown to a circle in which somebody else is', async () => {
  const { sent, buttons } = await opened(true)
  expect(buttons.map((button) => button.textContent)).toEqual(['Show to “Thursday”'])
  await fireEvent.click(buttons[0]!)
  expect(sent).toEqual([{ type: 'invite-circle', circle: 'c1' }])
  await vi.waitFor(() => expect(buttons[0]!.textContent).toBe('Shown to “Thursday”'))
  expect(buttons[0]!.disabled).toBe(true)
})

test('a refusal leaves the button as it was', async () => {
  const { buttons } = await opened(false)
  await fireEvent.click(buttons[0]!)
  expect(buttons[0]!.textContent).toBe('Show to “Thursday”')
})
