// The worker that checks game files (src/tavolino/offline/checker.mjs).

import { file } from '../../lib/site'
import { findPack } from '../local_tables/pack'

/** What `tavolino.server.verify.telling` says of a file, in the language of the page. */
export interface Told {
  /** The first two: all holds. */
  result: 'sealed' | 'consistent' | 'broken' | 'unchecked' | 'no-record' | 'no-seal' | 'not-kept'
  text: string
  checks: readonly { key: string; holds: boolean | null; text: string }[]
  /** What the checks cannot prove. */
  limits: readonly { key: string; text: string }[]
  /** What the seal is bound to, and the seal. */
  table: string | null
  commitment: string | null
}

/** What somebody kept from before the deal. */
export interface Kept {
  commitment: string | null
  salt: string | null
}

/** Why nothing can be checked here. */
export type Reason = 'no-pack' | 'unsupported' | 'failed' | 'unreadable'

export class CannotCheck extends Error {
  constructor(readonly reason: Reason) {
    super(reason)
  }
}

type FromWorker =
  { type: 'opened' } | { type: 'checked'; id: number; text: string } | { type: 'failed'; id?: number; message: string }

/** A worker, and the files that wait for it. */
export class Checker {
  private readonly waiting = new Map<number, { done: (told: Told) => void; failed: (problem: Error) => void }>()
  private last = 0

  private constructor(private readonly worker: Worker) {}

  /** `loading` is called with the size of what is loaded. */
  static async open(loading: (bytes: number) => void): Promise<Checker> {
    if (typeof Worker === 'undefined' || typeof WebAssembly === 'undefined') throw new CannotCheck('unsupported')
    const { version, bytes } = await findPack()
    if (version === null) throw new CannotCheck('no-pack')
    loading(bytes)
    const worker = new Worker(file(`/offline/${version}/checker.mjs`), { type: 'module' })
    const checker = new Checker(worker)
    return new Promise((done, failed) => {
      const stop = () => {
        checker.close()
        failed(new CannotCheck('failed'))
      }
      worker.onerror = (event) => {
        event.preventDefault()
        stop()
      }
      worker.onmessage = ({ data }: MessageEvent<FromWorker>) => {
        if (data.type === 'opened') done(checker)
        else if (data.type === 'checked') checker.settle(data.id)?.done(JSON.parse(data.text) as Told)
        else {
          console.warn(data.message)
          if (data.id === undefined) stop()
          else checker.settle(data.id)?.failed(new CannotCheck('unreadable'))
        }
      }
    })
  }

  check(file: Blob, kept: Kept | null, language: string): Promise<Told> {
    const id = (this.last += 1)
    return new Promise((done, failed) => {
      this.waiting.set(id, { done, failed })
      this.worker.postMessage({ id, file, language, ...kept })
    })
  }

  close(): void {
    this.worker.terminate()
    for (const id of [...this.waiting.keys()]) this.settle(id)?.failed(new CannotCheck('failed'))
  }

  private settle(id: number) {
    const found = this.waiting.get(id)
    this.waiting.delete(id)
    return found
  }
}
