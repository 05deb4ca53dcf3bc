// A worker beside the tables: it searches for bots and hints, or works out a review (local/helper.py).
import { loadPyodide } from './pyodide.mjs'
import { options, read } from './python.mjs'
import { openHelper } from './tables.mjs'

const opened = openHelper({ loadPyodide, options, read })
opened.then(
  () => postMessage({ type: 'ready' }),
  (problem) => postMessage({ type: 'failed', message: String(problem?.message ?? problem) }),
)

onmessage = async ({ data: order }) => {
  try {
    const { work } = await opened
    postMessage({ type: 'answer', text: work(order, (text) => postMessage({ type: 'line', text })) })
  } catch (problem) {
    postMessage({ type: 'failed', message: String(problem?.message ?? problem) })
  }
}
