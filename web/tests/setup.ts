// What jsdom does not have.
import { vi } from 'vitest'

// A desk: everything is drawn at once.
vi.stubGlobal('innerWidth', 1440)
vi.stubGlobal('matchMedia', (query: string) => ({
  matches: query.includes('reduce'),
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
