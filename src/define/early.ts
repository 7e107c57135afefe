// Requests the package of the page before anything else happens.
import { readPageEarly } from '../elements/loading/early-page.ts'

/** Whether no other copy of this package runs in the page. If one does, it may define its elements a little later. */
export const isFirst = !globalThis.customElements?.get('wf-package-status')

/** Whether the package of the page is on its way. */
export const isRequested: boolean = isFirst && readPageEarly()
