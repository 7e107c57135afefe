import type { FieldKind, ValidationCode } from '../../contract/values.ts'
import type { Messages } from '../../locales/messages.ts'
import { humanize } from '../humanize.ts'
import { formatField } from './field-kinds.ts'

/** A field, as its messages need it. */
export interface FieldFacts {
  /** The name of the field for people. */
  readonly label: string
  readonly kind: FieldKind
  /** How people enter a value. `date`: in the date control of the browser. `none`: the page does not have the field. */
  readonly entry: 'text' | 'choice' | 'date' | 'none'
}

type Texts = Messages['formFields']

/**
 * Returns a sentence for a code of the service (spec, Errors). A text that is not a code, such as a message of the browser,
 * is already a sentence.
 */
export function problemText(code: string, field: FieldFacts, texts: Texts, language: string): string {
  const text = isCode(code) ? sentences[code](field, texts, language) : otherText(code, field, texts)
  return field.entry === 'none' ? texts.notHere(text) : text
}

const sentences: Readonly<
  Record<ValidationCode, (field: FieldFacts, texts: Texts, language: string) => string>
> = {
  'validation.required': ({ label, entry }, texts) =>
    entry === 'choice' ? texts.choose(label) : texts.enter(label),
  'validation.badAnswerType': mustBe,
  'validation.notFound': ({ label, kind }, texts) =>
    kind === 'university_id'
      ? texts.personNotFound(label)
      : kind === 'position'
        ? texts.positionNotFound(label)
        : kind === 'org' || kind === 'department' || kind === 'sub_department'
          ? texts.officeNotFound(label)
          : texts.notFound(label),
  'validation.invalidValue': (field, texts, language) =>
    field.kind === 'date' || field.kind === 'url' || field.kind === 'email'
      ? mustBe(field, texts, language)
      : texts.invalid(field.label),
}

/** Examples of values. Amounts depend on the language. */
const examples: Partial<Readonly<Record<FieldKind, string>>> = {
  date: '2027-03-31',
  number: '30',
  org: '11',
  department: '11-0420',
  sub_department: '11-0420-0010',
}

function mustBe({ label, kind, entry }: FieldFacts, texts: Texts, language: string): string {
  const example = kind === 'currency' ? formatField(1234.5, kind, language) : (examples[kind] ?? '')
  return texts.mustBe(label, entry === 'date' ? texts.realDate : texts.kinds[kind](example))
}

function otherText(code: string, { label }: FieldFacts, texts: Texts): string {
  if (!/^[\w.-]+$/.test(code)) return code
  const reason = code.replace(/^validation\./, '').replace(/([a-z])([A-Z])/g, '$1_$2')
  return texts.other(label, humanize(reason).toLowerCase())
}

function isCode(code: string): code is ValidationCode {
  return Object.hasOwn(sentences, code)
}
