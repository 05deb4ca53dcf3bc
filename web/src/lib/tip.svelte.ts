// What a card tells when it is pointed at, focused or pressed long: one panel for the whole page.

export interface TipContent {
  title: string
  text: string
  /** Rule ids to read more about. */
  rules?: string[]
  game?: string
}

/** The panel's id: a screen reader reads it as the description of what has the focus. */
export const TIP_ID = 'tip'

const state = $state<{ content: TipContent | null; at: DOMRect | null }>({ content: null, at: null })
let shownFor: Element | null = null

export const tip = {
  get content(): TipContent | null {
    return state.content
  },
  get at(): DOMRect | null {
    return state.at
  },
}

export function showTip(content: TipContent, element: Element): void {
  shownFor = element
  state.content = content
  state.at = element.getBoundingClientRect()
}

export function hideTip(): void {
  shownFor = null
  state.content = null
}

/** An attachment: tells `content` on hover, keyboard focus and long press. */
export function tells(content: () => TipContent | null): (element: HTMLElement) => () => void {
  return (element) => {
    let timer: ReturnType<typeof setTimeout> | undefined
    let pressed = false
    const show = () => {
      const words = content()
      if (!words) return
      showTip(words, element)
      element.setAttribute('aria-describedby', TIP_ID)
    }
    const later = (wait: number) => {
      clearTimeout(timer)
      timer = setTimeout(show, wait)
    }
    const quiet = () => {
      clearTimeout(timer)
      element.removeAttribute('aria-describedby')
      // A focused card that leaves the table blurs while the page is drawn: nothing may be changed just then.
      queueMicrotask(() => shownFor === element && hideTip())
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
