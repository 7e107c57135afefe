/**
 * Waits until the page shows the status of its package; `patience` ms at most, because it may not load. Resolves soon on a page
 * without a status, and on a server.
 */
export function afterStatus(
  page: ParentNode | undefined = globalThis.document,
  patience = 500,
): Promise<void> {
  return new Promise((resolve) => {
    const status = page?.querySelector('wf-package-status')
    setTimeout(resolve, status ? patience : 0)
    // The element renders after the event and before the next frame.
    status?.addEventListener('wf-load', () => requestAnimationFrame(() => setTimeout(resolve)))
  })
}
