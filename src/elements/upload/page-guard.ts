/** Drop zones on the page now. */
let zones = 0

/** What is on its way, by whatever stands for it. */
const travelling = new Set<object>()

/**
 * While any drop zone is on the page, a file dropped beside it stays without effect: browsers would leave the page to
 * show the file. Returns how to stop. What the page itself takes files with goes on working.
 */
export function guardDrops(): () => void {
  if (zones++ === 0) listenForDrops('addEventListener')
  let isOver = false
  return () => {
    if (!isOver && --zones === 0) listenForDrops('removeEventListener')
    isOver = true
  }
}

/** While anything is on its way, browsers ask before they leave the page. `what` is anything that stands for it. */
export function guardLeaving(what: object, isOnItsWay: boolean): void {
  if (isOnItsWay) travelling.add(what)
  else travelling.delete(what)
  // Not all the time: a page with such a listener may be kept out of the back/forward cache.
  window[travelling.size > 0 ? 'addEventListener' : 'removeEventListener']('beforeunload', stay)
}

function listenForDrops(on: 'addEventListener' | 'removeEventListener'): void {
  window[on]('dragover', refuse as EventListener)
  window[on]('drop', refuse as EventListener)
}

function refuse(event: DragEvent): void {
  const [target] = event.composedPath()
  // Whoever takes files has prevented the default; a file input takes them without.
  const isTaken = event.defaultPrevented || (target instanceof HTMLInputElement && target.type === 'file')
  if (isTaken || !event.dataTransfer?.types.includes('Files')) return
  event.preventDefault()
  event.dataTransfer.dropEffect = 'none'
}

function stay(event: BeforeUnloadEvent): void {
  event.preventDefault()
}
