// Helpers as the tables have them: each is another worker (helper.mjs).

/** Keeps its promise when the helper can work. */
export function startHelper(address) {
  return new Promise((started, notStarted) => {
    const worker = new Worker(address, { type: 'module' })
    const waiting = [] // orders, the oldest first: they are answered in this order
    const end = (problem) => {
      worker.terminate()
      notStarted(problem)
      for (const { failed } of waiting.splice(0)) failed(problem)
    }
    worker.onerror = (event) => {
      event.preventDefault()
      end(new Error(event.message ?? 'the helper could not be loaded'))
    }
    worker.onmessage = ({ data }) => {
      if (data.type === 'line') waiting[0]?.hear(data.text)
      else if (data.type === 'answer') waiting.shift()?.done(data.text)
      else if (data.type === 'failed') end(new Error(data.message))
      else started({ work, end: () => end(new Error('it was ended')) })
    }
    const work = (order, hear) =>
      new Promise((done, failed) => {
        waiting.push({ done, failed, hear })
        worker.postMessage(order)
      })
  })
}
