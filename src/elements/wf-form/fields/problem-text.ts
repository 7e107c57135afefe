import type { FieldKind, ValidationCode } from '../../../contract/values/values.ts'
import type { Texts } from '../../../locales/messages.ts'
import { humanize } from '../../text/humanize.ts'
import { formatField } from './field-kinds.ts'

/** A field, as its messages need it. */
interface FieldFacts {
  /** The name of the field for people. */
  readonly label: string
  readonly kind: FieldKind
  /**
   * How people enter a value. `box`: a checkbox that is alone. `date`: in the date control of the browser. `none`: the page does not
   * have the field.
   */
  readonly entry: 'text' | 'choice' | 'box' | 'date' | 'none'
}

/** A field as it appears in a sentence. */
interface NamedField extends FieldFacts {
  /** Whether the label is a question or a sentence. */
  readonly isQuestion: boolean
}

type FieldTexts = Texts['formFields']

/**
 * Returns a sentence for a code of the service (spec, Errors). A text that is not a code, such as a message of the browser,
 * is already a sentence.
 */
export function problemText(code: string, field: FieldFacts, texts: FieldTexts, language: string): string {
  const text = isSentence(code) ? code : codeText(code, field, texts, language)
  return field.entry === 'none' ? texts.notHere(text) : text
}

/** Whether a text is not a code of the service. */
export function isSentence(text: string): boolean {
  return !/^[\w.-]+$/.test(text)
}

function codeText(
  code: string,
  { label, ...facts }: FieldFacts,
  texts: FieldTexts,
  language: string,
): string {
  const isQuestion = /[?!.:？！。：؟।]$/.test(label)
  // What a person agrees to is a sentence as well.
  const isQuoted = isQuestion || facts.entry === 'box'
  const field = { ...facts, isQuestion, label: isQuoted ? texts.question(label) : labelText(label, texts) }
  const text = isCode(code) ? sentences[code](field, texts, language) : otherText(code, field, texts)
  return text.charAt(0).toUpperCase() + text.slice(1)
}

const sentences: Readonly<
  Record<ValidationCode, (field: NamedField, texts: FieldTexts, language: string) => string>
> = {
  'validation.required': ({ label, entry, isQuestion }, texts) =>
    texts[isQuestion ? 'answer' : entry === 'choice' || entry === 'box' ? 'choose' : 'enter'](label),
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

function mustBe({ label, kind, entry }: NamedField, texts: FieldTexts, language: string): string {
  const example = kind === 'currency' ? formatField(1234.5, kind, language) : (examples[kind] ?? '')
  return entry === 'date' ? texts.realDate(label) : texts.mustBe[kind](label, example)
}

/** Returns a text that names the reason of the service. */
function otherText(code: string, { label }: NamedField, texts: FieldTexts): string {
  const reason = code.replace(/^validation\./, '').replace(/([a-z])([A-Z])/g, '$1_$2')
  return texts.otherReason(label, humanize(reason).toLowerCase())
}

/**
 * Returns a label as part of a sentence. In English, "Cost" becomes "cost", but "URL" and "I" stay. A `data-label` such as "the
 * cost" already is a part.
 */
function labelText(label: string, texts: FieldTexts): string {
  if (/^\p{Ll}/u.test(label)) return label
  const text = texts.inside(label)
  return text === label
    ? text.replace(/^(?!I\b)\p{Lu}(?=\p{Ll}|\s)/u, (letter) => letter.toLowerCase())
    : text
}

function isCode(code: string): code is ValidationCode {
  return Object.hasOwn(sentences, code)
}
