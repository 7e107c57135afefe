/** Milliseconds between two looks at a form that has the focus. */
const pause = 1000

/**
 * Calls `look` whenever scripts of the page may have changed values in an element without an event: after a click anywhere, because
 * calendars may stand elsewhere on the page, when the focus moves, also into a frame, before the page is hidden, and each second while the
 * element has the focus. Returns a function that ends this.
 */
export function watchValues(element: HTMLElement, look: () => void): () => void {
  const ending = new AbortController()
  const options = { capture: true, signal: ending.signal }
  let timer: ReturnType<typeof setInterval> | undefined
  const onFocus = () => {
    clearInterval(timer)
    timer = setInterval(() => {
      if (!element.matches(':focus-within')) clearInterval(timer)
      look()
    }, pause)
  }
  element.addEventListener('focusin', onFocus, options)
  // After all listeners of the page.
  for (const type of ['click', 'focusin', 'focusout', 'blur'])
    window.addEventListener(type, () => setTimeout(look), options)
  for (const type of ['visibilitychange', 'pagehide']) window.addEventListener(type, look, options)
  if (element.matches(':focus-within')) onFocus()
  return () => {
    ending.abort()
    clearInterval(timer)
  }
}
