// The messages about the fields of <wf-form>, apart from `en.ts` because only this element needs them.

export const formFields = {
  /** The heading of the list of problems. */
  title: 'There is a problem',
  /** A required field is empty. */
  enter: (label: string) => (isQuestion(label) ? `Answer ${inside(label)}.` : `Enter ${inside(label)}.`),
  choose: (label: string) => (isQuestion(label) ? `Answer ${inside(label)}.` : `Select ${inside(label)}.`),
  mustBe: (label: string, what: string) => `${atStart(label)} must be ${what}.`,
  /** Follows "must be". */
  kinds: {
    text: () => 'text',
    date: (example: string) => `a real date, such as ${example}`,
    url: () => 'a web address, such as https://example.edu/',
    email: () => 'an email address, such as name@example.edu',
    number: (example: string) => `a whole number, such as ${example}`,
    currency: (example: string) => `an amount, such as ${example}`,
    no_answer: () => 'empty',
    university_id: () => 'a university ID, which has only digits',
    org: (example: string) => `an office number of 2 digits, such as ${example}`,
    department: (example: string) => `an office number of 6 digits, such as ${example}`,
    sub_department: (example: string) => `an office number of 10 digits, such as ${example}`,
    position: () => 'a position number, which has only digits',
  },
  /** A date in a field that shows it as the browser does. */
  realDate: 'a real date',
  personNotFound: (label: string) => `No person has this university ID. Check ${inside(label)}.`,
  officeNotFound: (label: string) => `No office has this number. Check ${inside(label)}.`,
  positionNotFound: (label: string) => `No position has this number. Check ${inside(label)}.`,
  notFound: (label: string) => `The service did not find this. Check ${inside(label)}.`,
  invalid: (label: string) => `The service did not accept this. Check ${inside(label)}.`,
  /** The service has given a reason that this version does not know. */
  other: (label: string, reason: string) => `The service did not accept ${inside(label)}: ${reason}.`,
  /** The problem, and what to do if the page does not have the field. */
  notHere: (problem: string) =>
    `${problem} This page does not have the field. Contact the owner of the page.`,
}

/** Whether a label cannot be part of a sentence. */
function isQuestion(label: string): boolean {
  return /[?!.:]$/.test(label)
}

/** A label in the middle of a sentence: "Cost" becomes "cost", but "URL" stays. */
function inside(label: string): string {
  return isQuestion(label)
    ? `“${label}”`
    : label.replace(/^\p{Lu}(?=\p{Ll}|\s)/u, (letter) => letter.toLowerCase())
}

function atStart(label: string): string {
  return isQuestion(label) ? `“${label}”` : label.charAt(0).toUpperCase() + label.slice(1)
}
