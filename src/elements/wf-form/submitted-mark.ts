import { isRecord } from '../../contract/values/values.ts'

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
  // Frames without an origin may not change their history.
  try {
    if (isRecord(state)) history.replaceState({ ...state, [nameOf(form)]: mark }, '')
  } catch {}
}
