import type { ReactiveController } from 'lit'

/** Renders an element again, and takes its controllers, as Lit's elements do. */
export interface UpdatingElement {
  addController(controller: ReactiveController): void
  requestUpdate(): void
}

/** The elements of this package that are in the page. */
const mounted = new Set<UpdatingElement>()

/** Renders all elements again when a `lang` attribute changes anywhere in the page. */
const observer = typeof MutationObserver === 'undefined' ? undefined : new MutationObserver(renderAll)

export function mount(element: UpdatingElement): void {
  if (mounted.size === 0) observer?.observe(document, { subtree: true, attributeFilter: ['lang'] })
  mounted.add(element)
}

export function unmount(element: UpdatingElement): void {
  mounted.delete(element)
  if (mounted.size === 0) observer?.disconnect()
}

/** Renders all mounted elements again. */
export function renderAll(): void {
  for (const element of mounted) element.requestUpdate()
}
