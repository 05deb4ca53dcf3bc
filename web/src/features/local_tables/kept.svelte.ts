// What this browser keeps to play without a connection: the service worker has the page and the pack
// (web/public/service-worker.js).

import { file } from '../../lib/site'

/** `none`: over plain HTTP no browser has a service worker. A private window may have none either: `failed`. */
type State = 'waiting' | 'kept' | 'failed' | 'none'

let state = $state<State>('waiting')
let isLasting = $state(false)

export const kept = {
  get state(): State {
    return state
  },
  /** Whether the browser has promised to delete no games of its own accord. */
  get isLasting(): boolean {
    return isLasting
  },
}

/** Asks the browser for that. Some browsers ask the person, so this is called when there is a game to keep. */
export async function keepGames(): Promise<void> {
  isLasting = (await navigator.storage?.persist?.().catch(() => false)) ?? false
}

/** Whether it has promised it before. */
export async function lookWhetherKept(): Promise<void> {
  isLasting = (await navigator.storage?.persisted?.().catch(() => false)) ?? false
}

function ask(worker: ServiceWorker, message: object): Promise<boolean> {
  const { port1, port2 } = new MessageChannel()
  return new Promise((done) => {
    port1.onmessage = ({ data }) => done(data === true)
    worker.postMessage(message, [port2])
  })
}

/** Keeps all that is needed. Called when somebody has asked for a table in the browser. */
export async function keepHere(): Promise<void> {
  if (!window.isSecureContext) {
    state = 'none'
    return
  }
  try {
    await navigator.serviceWorker.register(file('/service-worker.js'))
    const { active } = await navigator.serviceWorker.ready
    state = active && (await ask(active, { type: 'keep' })) ? 'kept' : 'failed'
  } catch {
    state = 'failed'
  }
}

/** The first script: another version has one of another name. */
const script = () => document.querySelector<HTMLScriptElement>('script[type=module]')?.src

/** Calls back when another version of the page waits until this one is left. A page that is new itself, because it came
 *  from the network, lets the version take over at once: nobody sees a difference. */
export function watchVersions(found: (waiting: ServiceWorker) => void): void {
  if (!('serviceWorker' in navigator)) return
  const look = async (waiting: ServiceWorker | null) => {
    if (!waiting || !navigator.serviceWorker.controller) return
    if (await ask(waiting, { type: 'has', file: script() })) waiting.postMessage({ type: 'activate' })
    else found(waiting)
  }
  void navigator.serviceWorker.getRegistration().then((registration) => {
    if (!registration) return
    void look(registration.waiting)
    registration.addEventListener('updatefound', () => {
      const coming = registration.installing
      coming?.addEventListener('statechange', () => coming.state === 'installed' && void look(coming))
    })
  })
}

/** Lets a waiting version take over, and shows it. */
export function reloadWith(waiting: ServiceWorker): void {
  navigator.serviceWorker.addEventListener('controllerchange', () => location.reload(), { once: true })
  waiting.postMessage({ type: 'activate' })
}
