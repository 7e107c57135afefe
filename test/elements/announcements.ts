/** Returns the text that the element announces now. */
export function announcement(element: Element): string {
  return element.shadowRoot!.querySelector('[role=status]')!.textContent
}

/** Collects the announcements of an element from now on. */
export function announcements(element: Element): string[] {
  const announced: string[] = []
  new MutationObserver(() => {
    const text = announcement(element)
    if (text) announced.push(text)
  }).observe(element.shadowRoot!.querySelector('[role=status]')!, {
    childList: true,
    characterData: true,
    subtree: true,
  })
  return announced
}
