// The messages about the fields of <wf-form>, apart from `en.ts` because only this element needs them.

export const formFields = {
  /** The heading of the list of problems. */
  title: 'There is a problem',
  /** The label of a field inside a sentence. Without quotation marks, as in English, it begins in lower case. */
  inside: '{label}',
  /** A label that is a question or a sentence, inside a sentence. */
  question: '“{label}”',
  /** Each of the next three is about a required field that is empty: one to fill in, a choice, and a question. */
  enter: 'Enter {label}.',
  choose: 'Select {label}.',
  answer: 'Answer {label}.',
  /** By kind of field. */
  mustBe: {
    text: '{label} must be text.',
    date: '{label} must be a real date, such as {example}.',
    url: '{label} must be a web address, such as https://example.edu/.',
    email: '{label} must be an email address, such as name@example.edu.',
    number: '{label} must be a whole number, such as {example}.',
    currency: '{label} must be an amount, such as {example}.',
    no_answer: '{label} must be empty.',
    university_id: '{label} must be a university ID, which has only digits.',
    org: '{label} must be an office number of 2 digits, such as {example}.',
    department: '{label} must be an office number of 6 digits, such as {example}.',
    sub_department: '{label} must be an office number of 10 digits, such as {example}.',
    position: '{label} must be a position number, which has only digits.',
  },
  /** A date in a field that shows it as the browser does. */
  realDate: '{label} must be a real date.',
  personNotFound: 'No person has this university ID. Check {label}.',
  officeNotFound: 'No office has this number. Check {label}.',
  positionNotFound: 'No position has this number. Check {label}.',
  notFound: 'The service did not find this. Check {label}.',
  invalid: 'The service did not accept this. Check {label}.',
  /** The service has given a reason that this version does not know. */
  otherReason: 'The service did not accept {label}: {reason}.',
  /** The problem, and what to do if the page does not have the field. */
  notHere: '{problem} This page does not have the field. Contact the owner of the page.',
} as const
