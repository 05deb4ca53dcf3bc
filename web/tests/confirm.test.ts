// A button that asks once more before it does something that cannot be undone.
import { render, screen } from '@testing-library/svelte'
import { tick } from 'svelte'
import { expect, test, vi } from 'vitest'
import { setTexts } from '../src/i18n/language.svelte'
import ConfirmButton from '../src/ui/ConfirmButton.svelte'
import { allTexts } from './catalogues'

setTexts('en', allTexts('en'))

const names = () => screen.getAllByRole('button').map((button) => button.textContent)

async function press(name: string) {
  screen.getByRole('button', { name }).click()
  await tick()
  await tick()
}

test('a double tap cancels, because Cancel comes first and has the focus', async () => {
  const confirmed = vi.fn()
  render(ConfirmButton, { label: 'Resign', sure: 'Yes, resign', onconfirm: confirmed })
  await press('Resign')
  expect(names()).toEqual(['Cancel', 'Yes, resign'])
  expect(document.activeElement?.textContent).toBe('Cancel')
  await press('Cancel')
  expect(names()).toEqual(['Resign'])
  expect(document.activeElement?.textContent).toBe('Resign')
  expect(confirmed).not.toHaveBeenCalled()
  await press('Resign')
  await press('Yes, resign')
  expect(confirmed).toHaveBeenCalledOnce()
  expect(names()).toEqual(['Resign'])
})
