/** The number of drop zones on the page. */
let zones = 0

/**
 * Prevents browsers from leaving the page to show a file that is dropped beside a drop zone. File inputs and other code
 * of the page still get their drops. Returns a function that ends the guard.
 */
export function guardDrops(): () => void {
  if (zones++ === 0) {
    window.addEventListener('dragover', refuseFiles)
    window.addEventListener('drop', refuseFiles)
  }
  let isActive = true
  return () => {
    if (!isActive) return
    isActive = false
    if (--zones > 0) return
    window.removeEventListener('dragover', refuseFiles)
    window.removeEventListener('drop', refuseFiles)
  }
}

function refuseFiles(event: DragEvent): void {
  const [target] = event.composedPath()
  // Code that accepts files prevents the default; a file input accepts them without.
  const isAccepted = event.defaultPrevented || (target instanceof HTMLInputElement && target.type === 'file')
  if (isAccepted || !event.dataTransfer?.types.includes('Files')) return
  event.preventDefault()
  event.dataTransfer.dropEffect = 'none'
}
