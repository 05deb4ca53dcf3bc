// Tooltips of cards on hover, keyboard focus and long press: one panel for the whole page.

export interface TooltipContent {
  title: string
  text: string
  /** Rule ids to read more about. */
  rules?: string[]
}

/** The panel's id: a screen reader reads it as the description of what has the focus. */
export const TOOLTIP_ID = 'tooltip'

const state = $state<{ content: TooltipContent | null; at: DOMRect | null }>({ content: null, at: null })
let shownFor: Element | null = null

export const tooltip = {
  get content(): TooltipContent | null {
    return state.content
  },
  get at(): DOMRect | null {
    return state.at
  },
}

export function showTooltip(content: TooltipContent, element: Element): void {
  shownFor = element
  state.content = content
  state.at = element.getBoundingClientRect()
}

export function hideTooltip(): void {
  shownFor = null
  state.content = null
}

/** An attachment that shows `content` on hover, keyboard focus and long press. */
export function tooltipFor(content: () => TooltipContent | null): (element: HTMLElement) => () => void {
  return (element) => {
    let timer: ReturnType<typeof setTimeout> | undefined
    let pressed = false
    const show = () => {
      const words = content()
      if (!words) return
      showTooltip(words, element)
      element.setAttribute('aria-describedby', TOOLTIP_ID)
    }
    const later = (wait: number) => {
      clearTimeout(timer)
      timer = setTimeout(show, wait)
    }
    // Called for every card that leaves the table, and few of them ever had a tooltip.
    const quiet = () => {
      if (timer !== undefined) clearTimeout(timer)
      element.removeAttribute('aria-describedby')
      // A focused card that leaves the table blurs while the page is drawn: nothing may be changed just then.
      if (shownFor === element) queueMicrotask(() => shownFor === element && hideTooltip())
    }
    const enter = (event: PointerEvent) => event.pointerType === 'mouse' && later(350)
    const leave = (event: PointerEvent) => event.pointerType === 'mouse' && quiet()
    const down = (event: PointerEvent) => {
      if (event.pointerType === 'mouse') return
      pressed = false
      clearTimeout(timer)
      timer = setTimeout(() => {
        pressed = true
        show()
      }, 450)
    }
    const up = () => clearTimeout(timer)
    const focus = () => element.matches(':focus-visible') && show()
    // The tap that ends a long press must not also play the card.
    const click = (event: MouseEvent) => {
      if (!pressed) return
      pressed = false
      event.preventDefault()
      event.stopImmediatePropagation()
    }
    const menu = (event: Event) => pressed && event.preventDefault()
    const pairs: [string, EventListener][] = [
      ['pointerenter', enter as EventListener],
      ['pointerleave', leave as EventListener],
      ['pointerdown', down as EventListener],
      ['pointerup', up],
      ['pointercancel', up],
      ['focus', focus],
      ['blur', quiet],
      ['contextmenu', menu],
    ]
    for (const [name, listener] of pairs) element.addEventListener(name, listener)
    element.addEventListener('click', click as EventListener, true)
    return () => {
      quiet()
      for (const [name, listener] of pairs) element.removeEventListener(name, listener)
      element.removeEventListener('click', click as EventListener, true)
    }
  }
}
