/** Runs a deed after the next frame is painted; call what it returns to cancel. Measuring earlier would lay the page out twice. */
export function afterPaint(deed: () => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  const frame = requestAnimationFrame(() => (timer = setTimeout(deed)))
  return () => {
    cancelAnimationFrame(frame)
    clearTimeout(timer)
  }
}
