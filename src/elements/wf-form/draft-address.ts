import { parseId } from '../../contract/values/path.ts'
import { fillUrl } from '../text/fill-url.ts'

/** Returns the id of the draft whose address, as `template` writes it, is that of this page; 0 if it is not. */
export function draftInAddress(template: string, formId: number | undefined): number {
  const here = new URL(location.href)
  const isHere = (packageId: string) => {
    const url = new URL(fillUrl(template, { formId, packageId }) ?? 'about:blank')
    return (
      url.origin + url.pathname === here.origin + here.pathname &&
      [...url.searchParams].every(([name, value]) => here.searchParams.get(name) === value) &&
      (!url.hash || url.hash === here.hash)
    )
  }
  const found = template.includes('{packageId}') && here.href.match(/\d+/g)?.find(isHere)
  return (found && parseId(found)) || 0
}

/** Shows the address of a draft in the address bar, so that a reload and a bookmark lead to it. */
export function enterDraft(url: string): void {
  if (url !== location.href) replace(url)
}

/** Takes the draft out of the address, so that the next visit begins a new request. */
export function leaveDraft(template: string): void {
  if (!template || !URL.canParse(template, document.baseURI)) return
  const { searchParams, hash } = new URL(template, document.baseURI)
  const here = new URL(location.href)
  for (const [name, value] of searchParams) if (value.includes(placeholder)) here.searchParams.delete(name)
  if (decodeURI(hash).includes(placeholder)) here.hash = ''
  if (here.href !== location.href) replace(here.href)
}

const placeholder = '{packageId}'

function replace(url: string): void {
  // An address of another site, or a frame without an origin.
  try {
    history.replaceState(history.state, '', url)
  } catch {}
}
