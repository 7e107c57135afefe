import { collectionTime } from '../../../src/elements/notices/announcer.ts'
import { outlast, settled } from '../../../stories/settled.ts'

/** Returns the status region of the page; `undefined` while it moves to another element. */
export function statusRegion(): Element | undefined {
  for (const root of shadowRoots(document)) {
    const region = root.querySelector('.announcement[role=status]')
    if (region) return region
  }
  return undefined
}

/** Returns the text that is announced now. */
export function announcement(): string {
  return statusRegion()?.textContent ?? ''
}

/** Collects what the elements in the page announce from now on, whichever of them has the region. */
export function announcements(): string[] {
  const announced: string[] = []
  let last = announcement()
  const observer = new MutationObserver(() => {
    const text = announcement()
    if (text && text !== last) announced.push(text)
    last = text
  })
  for (const root of shadowRoots(document))
    observer.observe(root, { childList: true, characterData: true, subtree: true })
  return announced
}

function shadowRoots(root: ParentNode): ShadowRoot[] {
  return [...root.querySelectorAll('*')].flatMap(({ shadowRoot }) =>
    shadowRoot ? [shadowRoot, ...shadowRoots(shadowRoot)] : [],
  )
}

/** Resolves when nothing more is to be announced of what has happened in `root`. */
export async function allAnnounced(root: Element): Promise<void> {
  await settled(root)
  await outlast(collectionTime)
}
