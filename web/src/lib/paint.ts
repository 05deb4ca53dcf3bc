/** Runs a function after the next frame is painted; returns a function that cancels it. Measuring earlier would cause a second layout. */
export function afterPaint(deed: () => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  const frame = requestAnimationFrame(() => (timer = setTimeout(deed)))
  return () => {
    cancelAnimationFrame(frame)
    clearTimeout(timer)
  }
}
