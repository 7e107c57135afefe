import type { ReactiveControllerHost } from 'lit'

/** Elements of the kit that are in the page now, told when something changes that concerns all of them. */
const mounted = new Set<ReactiveControllerHost>()

/** Pages change language by an attribute somewhere above, which elements do not hear of by themselves. */
const observer = typeof MutationObserver === 'undefined' ? undefined : new MutationObserver(renderAll)

export function mount(element: ReactiveControllerHost): void {
  if (mounted.size === 0) observer?.observe(document, { subtree: true, attributeFilter: ['lang'] })
  mounted.add(element)
}

export function unmount(element: ReactiveControllerHost): void {
  mounted.delete(element)
  if (mounted.size === 0) observer?.disconnect()
}

/** Lets every element render anew. */
export function renderAll(): void {
  for (const element of mounted) element.requestUpdate()
}
