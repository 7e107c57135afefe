import { collectionTime } from '../../../src/elements/notices/announcer.ts'
import { outlast, settled } from '../../../stories/settled.ts'

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

/** Resolves when nothing more is to be announced of what has happened in `root`. */
export async function allAnnounced(root: Element): Promise<void> {
  await settled(root)
  await outlast(collectionTime)
}
