/** The parts of `window` that show whether people see the page. `document` exists only in browsers. */
export interface PageWindow extends Pick<
  EventTarget,
  'addEventListener' | 'removeEventListener' | 'dispatchEvent'
> {
  readonly document?: EventTarget & { readonly visibilityState: DocumentVisibilityState }
}

/** Returns whether people may see the page. Always true outside browsers. */
export function isPageVisible({ document }: PageWindow): boolean {
  return document?.visibilityState !== 'hidden'
}

/**
 * Calls `onActivity` when the page is shown or hidden, gets the focus or is online again. One such moment often fires
 * several events. Returns a function that stops this.
 */
export function observePageActivity(window: PageWindow, onActivity: () => void): () => void {
  const { document } = window
  if (!document) return () => {}
  const abort = new AbortController()
  document.addEventListener('visibilitychange', onActivity, abort)
  for (const type of ['focus', 'online', 'pageshow']) window.addEventListener(type, onActivity, abort)
  return () => abort.abort()
}
