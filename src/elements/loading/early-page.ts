import { type EarlyTarget, startEarlyRead } from '../../client/transport/early-read.ts'
import type { PagePart } from '../../contract/routes/package-page.ts'
import { foreignOriginOf, fromPage } from '../configuration/configuration.ts'
import { attachmentsParts, commentsParts, historyParts, statusParts } from './expected-parts.ts'

/** Elements and what they read in any case. */
const partsOf: Readonly<Record<string, readonly PagePart[]>> = {
  'wf-package-status': statusParts,
  'wf-attachments': attachmentsParts,
  'wf-comments': commentsParts,
  // With `history`, it reads nothing.
  'wf-history:not([history])': historyParts,
}

/**
 * Requests the package of a page as soon as this script runs, so that the response is on its way while the browser loads and
 * runs the code of the elements. Does nothing if the page shows several packages, or if it does not name the package yet: the
 * elements then request what they need. Returns whether it has sent the request.
 */
export function readPageEarly(page: Document | undefined = globalThis.document): boolean {
  const target = page && findEarlyTarget(page)
  if (target) startEarlyRead(target)
  return !!target
}

/** Returns what the elements of a page will read about the only package that they show. */
export function findEarlyTarget(page: ParentNode): EarlyTarget | undefined {
  const parts = new Set<PagePart>(['getActions'])
  const found = new Map<string, Omit<EarlyTarget, 'parts'>>()
  for (const [selector, needed] of Object.entries(partsOf)) {
    for (const element of page.querySelectorAll(selector)) {
      // The page has its own element of that name, or has loaded the elements before.
      if (customElements.get(element.localName)) continue
      const endpoint = settingOf(element, 'endpoint') ?? fromPage('endpoint') ?? ''
      const formId = idOf(settingOf(element, 'form-id')) || fromPage('formId')
      const packageId = idOf(settingOf(element, 'package-id')) || fromPage('packageId')
      const isUsable = endpoint && isId(formId) && isId(packageId) && !fromPage('client')
      if (!isUsable || foreignOriginOf(endpoint)) return undefined
      for (const part of needed) parts.add(part)
      found.set([endpoint, formId, packageId].join(), { endpoint, formId, packageId })
    }
  }
  const [target, ...others] = found.values()
  return target && others.length === 0 ? { ...target, parts: [...parts] } : undefined
}

/** Returns an attribute of an element, or of the nearest `<wf-context>` that has it. */
function settingOf(element: Element, name: string): string | undefined {
  return (
    element.getAttribute(name) ||
    element.closest(`wf-context[${name}]:not([${name}=""])`)?.getAttribute(name) ||
    undefined
  )
}

// `contract/values/path.ts` has the same checks, but would bring much code into the script.
function idOf(text = ''): number {
  return /^[1-9]\d*$/.test(text) ? Number(text) : 0
}

function isId(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) > 0
}
