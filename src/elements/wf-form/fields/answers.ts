import { formatDay } from '../../text/format.ts'
import { isBox, type FormControl, isDisabled, kindOf, readControls } from './form-controls.ts'
import type { FormFields } from './form-fields.ts'

/** The content of a field, as people read it. */
export interface Answer {
  /** The natural key. */
  readonly name: string
  readonly label: string
  /** Empty if nothing is entered. */
  readonly text: string
}

export interface AnswerOptions {
  readonly labelOf: (name: string) => string
  /** Returns the label of one control, such as a radio button. */
  readonly textOf: (control: FormControl) => string
  readonly language: string | undefined
  /** Joins the texts of several controls. */
  readonly join: (texts: readonly string[]) => string
}

/** The content of a checkbox that is alone, in words. */
interface YesNo {
  readonly yes: string
  readonly no: string
}

/** Returns what a form contains, in the order of the page, without fields that nobody can enter. */
export function answersOf(
  fields: FormFields,
  { labelOf, textOf, language, join }: AnswerOptions,
  { yes, no }: YesNo,
): readonly Answer[] {
  return fields.names.flatMap((name) => {
    const entered = fields.controlsOf(name).filter(isEntered)
    const controls = entered.filter((one) => !isDisabled(one))
    const [first] = controls
    if (!first) return []
    if (entered.length === 1 && first.type !== 'radio' && isBox(first))
      return [{ name, label: labelOf(name), text: first.checked ? yes : no }]
    if (first.dataset['part']) {
      const text = readControls(controls) ?? ''
      const isDate = text && kindOf(first) === 'date'
      return [{ name, label: labelOf(name), text: isDate ? formatDay(`${text}T00:00:00`, language) : text }]
    }
    const texts = controls.flatMap((one) => textsOf(one, () => textOf(one), language))
    return [{ name, label: labelOf(name), text: join(texts.filter(Boolean)) }]
  })
}

/** Passwords stay hidden. */
function isEntered({ type }: FormControl): boolean {
  return type !== 'hidden' && type !== 'password' && type !== 'output'
}

/** An element of this package whose value is not a text for people. */
interface Described {
  /** Of `<wf-office>`. */
  readonly office?: { readonly name: string | null }
  /** Of `<fs-uploader>`. */
  readonly assets?: readonly { readonly filename: string }[]
}

function textsOf(control: FormControl, label: () => string, language: string | undefined): readonly string[] {
  if (isBox(control)) return control.checked ? [label() || (control as HTMLInputElement).value] : []
  if (control instanceof HTMLSelectElement)
    return [...control.selectedOptions].map((option) => (option.value ? option.text : ''))
  const { office, assets } = control as Described
  if (assets) return assets.map(({ filename }) => filename)
  const [text = '', ...more] = [control.value ?? ''].flat().map((value) => value.trim())
  if (office?.name) return [`${text} ${office.name}`]
  if (more.length > 0) return [text, ...more]
  return [text && kindOf(control) === 'date' ? formatDay(`${text}T00:00:00`, language) : text]
}
