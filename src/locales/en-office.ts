// The messages of <wf-office>, apart from `en.ts` because they load with the element.

export const office = {
  /** The name of the field, if the page has no label for it. */
  label: 'Office',
  /** Name of the button that opens and closes the list. */
  list: 'Show the list of offices',
  levels: {
    any: 'an office',
    org: 'an organization',
    department: 'a department',
    sub_department: 'a sub-department',
  },
  /** Below the field. `what` is one of `levels`. */
  hint: 'The number of {what}, such as {example}.',
  checking: 'Checking the number…',
  unchecked: 'The number couldn’t be checked. You can send it as it is.',
  missing: 'Enter the number of {what}, such as {example}.',
  notANumber: 'Choose an office from the list, or enter its number, such as {example}.',
  incomplete: 'An office number has 2, 6 or 10 digits, such as 11, 11-0420 or 11-0420-0010.',
  /** `found` and `wanted` are of `levels`. */
  wrongLevel: '{key} is the number of {found}. Enter the number of {wanted}, such as {example}.',
  unknown: 'No office was found for {key}. Check the number.',
} as const
