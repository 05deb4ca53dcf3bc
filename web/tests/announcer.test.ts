// What a screen reader is told: after the table is painted, and nothing is lost meanwhile.
import { cleanup, render, waitFor } from '@testing-library/svelte'
import { tick } from 'svelte'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { setTexts } from '../src/i18n/language.svelte'
import Announcer from '../src/table/Announcer.svelte'
import { Sentences } from '../src/i18n/sentences'
import { allTexts } from './catalogues'
import { names, recorded } from './recorded'

beforeEach(() => setTexts('en', allTexts('en')))
afterEach(() => {
  cleanup()
  vi.restoreAllMocks()
})

function announcer(over = false) {
  const view = { ...recorded('mantis')[0]!.seat, over }
  const scene = { view, log: [], firstNewLine: 0, sentences: new Sentences('mantis', names, view.seat), seats: [] }
  const { component, container } = render(Announcer, { scene, question: '', busy: false })
  return { component, said: () => [...container.querySelectorAll('p')].map((line) => line.textContent) }
}

test('what is said before the next frame is said after it, all of it and in order', async () => {
  const { component, said } = announcer()
  component.say(['first', 'second'])
  component.say(['third'])
  await tick()
  expect(said()).toEqual([])
  await waitFor(() => expect(said()).toEqual(['first', 'second', 'third']))
})

test('a hidden page, which is not painted, says it at once', async () => {
  vi.spyOn(document, 'hidden', 'get').mockReturnValue(true)
  const { component, said } = announcer()
  component.say(['first'])
  await tick()
  expect(said()).toEqual(['first'])
})

test('what a page has not said before it is hidden is said then', async () => {
  vi.spyOn(globalThis, 'requestAnimationFrame').mockReturnValue(1)
  const { component, said } = announcer()
  component.say(['first'])
  document.dispatchEvent(new Event('visibilitychange'))
  await tick()
  expect(said()).toEqual(['first'])
})

test('the end is said at once, before the focus goes to the result', async () => {
  const { component, said } = announcer(true)
  component.say(['first'])
  await tick()
  expect(said()).toEqual(['first'])
})
