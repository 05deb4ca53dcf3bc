// What jsdom does not have.
import { vi } from 'vitest'

vi.stubGlobal('matchMedia', (query: string) => ({
  // A desk, where everything is drawn at once, and no motion; only a phone's window is asked for its least height.
  matches: query.includes('reduce') || (query.includes('min-width') && !query.includes('min-height')),
  addEventListener: () => undefined,
  removeEventListener: () => undefined,
}))
Element.prototype.animate ??= () => ({ finished: Promise.resolve() }) as unknown as Animation
vi.stubGlobal(
  'ResizeObserver',
  class {
    observe() {}
    unobserve() {}
    disconnect() {}
  },
)
Element.prototype.scrollTo ??= () => undefined
if (!globalThis.CSS?.escape)
  vi.stubGlobal('CSS', { escape: (text: string) => text.replace(/[^\w-]/g, (c) => `\\${c}`) })
