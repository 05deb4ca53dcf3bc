// Gives the checks of game files in Pyodide to whoever wants them: a worker, or a test.
import { startPython } from './python.mjs'

const START = `
from tavolino.local import checking
checking
`

/** As `startPython`. */
export async function openChecker({ loadPyodide, options, read }) {
  const python = await startPython({ loadPyodide, options, read })
  const checking = python.runPython(START)
  return {
    /** As much of a file as `check` wants. */
    readBytes: checking.READ_BYTES,
    /** What the checks of a file have found, as JSON (server/verify/telling.py). */
    check: (content, commitment, salt, language) =>
      checking.check(new Uint8Array(content), commitment ?? '', salt ?? '', language),
  }
}
