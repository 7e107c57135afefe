/** The owners with unfinished uploads. */
const active = new Set<object>()

/** Makes browsers ask before they leave the page, as long as any owner has unfinished uploads. */
export function guardUnload(owner: object, isUnfinished: boolean): void {
  if (isUnfinished) active.add(owner)
  else active.delete(owner)
  // Not permanent: browsers may keep a page with this listener out of the back/forward cache.
  if (active.size > 0) window.addEventListener('beforeunload', askBeforeUnload)
  else window.removeEventListener('beforeunload', askBeforeUnload)
}

function askBeforeUnload(event: BeforeUnloadEvent): void {
  event.preventDefault()
}
