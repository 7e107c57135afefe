import type { FileAsset } from '../../contract/schemas/storage.ts'
import type { Texts } from '../../locales/messages.ts'
import type { FieldProblem } from '../element/form-field.ts'

/** Returns the value that a form sends: one uuid each under the name of the field, nothing without a name. */
export function fieldValue(name: string, assets: readonly FileAsset[]): FormData {
  const value = new FormData()
  if (name) for (const { uuid } of assets) value.append(name, uuid)
  return value
}

/** Returns why the form cannot be sent; `undefined` if it can. */
export function fieldProblem(
  /** Number of uploads that have not ended. */
  unfinished: number,
  /** Whether a stored file is needed but absent. */
  isMissing: boolean,
  messages: Texts['uploader'],
  /** The control that browsers show the reason at. */
  anchor: HTMLElement | null,
): FieldProblem | undefined {
  if (unfinished > 0) return { kind: 'customError', message: messages.unfinished(unfinished), anchor }
  return isMissing ? { kind: 'valueMissing', message: messages.missing, anchor } : undefined
}
