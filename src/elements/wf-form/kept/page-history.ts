import { parseId } from '../../../contract/values/path.ts'
import { isRecord } from '../../../contract/values/values.ts'
import { fillUrl } from '../../text/fill-url.ts'

// The notes of a form in the address and in the history of its page.

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

function replace(url: string, state: unknown = history.state): void {
  // An address of another site, or a frame without an origin.
  try {
    history.replaceState(state, '', url)
  } catch {}
}

/** A request that was submitted in this entry of the browser's history, so that Back does not lead to a second one. */
interface SubmittedMark {
  readonly packageId: number
  /** In milliseconds since 1970. */
  readonly at: number
  /** When the page was opened that submitted it. */
  readonly page: number
}

const nameOf = (form: string) => `routeslip ${form}`

/** Notes in the history that a form was submitted. The page may keep other facts there. */
export function markSubmitted(form: string, packageId: number): void {
  write(form, { packageId, at: Date.now(), page: performance.timeOrigin })
}

/** Returns what was submitted here before the page was left; `undefined` for what the same page has submitted. */
export function readMark(form: string): Omit<SubmittedMark, 'page'> | undefined {
  const state: unknown = history.state
  const mark = isRecord(state) ? state[nameOf(form)] : undefined
  if (!isRecord(mark) || mark['page'] === performance.timeOrigin) return undefined
  const { packageId, at } = mark
  return typeof packageId === 'number' && typeof at === 'number' ? { packageId, at } : undefined
}

export function removeMark(form: string): void {
  if (isRecord(history.state) && nameOf(form) in history.state) write(form, undefined)
}

function write(form: string, mark: SubmittedMark | undefined): void {
  const state: unknown = history.state ?? {}
  if (isRecord(state)) replace('', { ...state, [nameOf(form)]: mark })
}
