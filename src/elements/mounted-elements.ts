import type { ReactiveControllerHost } from 'lit'

/** The elements of this package that are in the page. */
const mounted = new Set<ReactiveControllerHost>()

/** Renders all elements again when a `lang` attribute changes anywhere in the page. */
const observer = typeof MutationObserver === 'undefined' ? undefined : new MutationObserver(renderAll)

export function mount(element: ReactiveControllerHost): void {
  if (mounted.size === 0) observer?.observe(document, { subtree: true, attributeFilter: ['lang'] })
  mounted.add(element)
}

export function unmount(element: ReactiveControllerHost): void {
  mounted.delete(element)
  if (mounted.size === 0) observer?.disconnect()
}

/** Renders all mounted elements again. */
export function renderAll(): void {
  for (const element of mounted) element.requestUpdate()
}
