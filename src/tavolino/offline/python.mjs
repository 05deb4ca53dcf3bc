// Starts Pyodide with the frozen Python.

const PATHS = `
import os, sys
os.environ["TAVOLINO_COMPILED"] = "ahead"
sys.path.insert(0, "/app")
`

/** Rejects if Pyodide's WebAssembly cannot be instantiated, as when it is damaged: Pyodide itself would wait for ever. */
function damaged() {
  return new Promise((_, failed) => {
    for (const name of ['instantiate', 'instantiateStreaming']) {
      const native = WebAssembly[name]
      WebAssembly[name] = (...given) => {
        const made = native.apply(WebAssembly, given)
        made.catch(failed)
        return made
      }
    }
  })
}

const silence = (event) => event.preventDefault()

/** `read(name)` gives the bytes of a file of the pack. */
export async function startPython({ loadPyodide, options, read }) {
  // If one file cannot be had, nobody waits for the others. Who called is told of the first; node has no such event.
  globalThis.addEventListener?.('unhandledrejection', silence)
  const app = read('app.zip')
  const python = await Promise.race([damaged(), loadPyodide(options)])
  python.unpackArchive(await app, 'zip', { extractDir: '/app' })
  python.runPython(PATHS)
  globalThis.removeEventListener?.('unhandledrejection', silence)
  return python
}

/** For a worker: what lies beside this script. */
export const here = new URL('./', import.meta.url).href
export const options = { indexURL: here, stdLibURL: `${here}python.zip`, packageCacheDir: undefined }

export async function read(name) {
  const answer = await fetch(here + name)
  if (!answer.ok) throw new Error(`${name}: ${answer.status}`)
  return answer.arrayBuffer()
}
