// The worker that checks game files (web/src/features/verify/checker.ts). It starts no table and stores nothing.
import { loadPyodide } from './pyodide.mjs'
import { openChecker } from './checking.mjs'
import { options, read } from './python.mjs'

const opened = openChecker({ loadPyodide, options, read })
opened.then(
  () => postMessage({ type: 'opened' }),
  (problem) => postMessage({ type: 'failed', message: String(problem?.message ?? problem) }),
)

onmessage = async ({ data: { id, file, commitment, salt, language } }) => {
  try {
    const checker = await opened
    const content = await file.slice(0, checker.readBytes).arrayBuffer()
    postMessage({ type: 'checked', id, text: checker.check(content, commitment, salt, language) })
  } catch (problem) {
    // A file that was removed or changed since it was chosen.
    postMessage({ type: 'failed', id, message: String(problem?.message ?? problem) })
  }
}
