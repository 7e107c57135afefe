// The messages of <wf-office>, apart from `en.ts` because they load with the element.
import { plural } from './plural.ts'

const count = plural('en')

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
  hint: (what: string, example: string) => `The number of ${what}, such as ${example}.`,
  /** In the list, before anything has been typed. */
  start: 'Type the first two digits. The search is by number.',
  /** In the list, below `shown` of `total` offices. */
  found: (shown: number, total: number) =>
    shown < total
      ? `${count(shown, { other: '#' })} of ${count(total, { other: '# offices. Type more of the number.' })}`
      : count(total, { one: '# office.', other: '# offices.' }),
  /** Follows `found` if the text is part of a name. */
  amongLoaded: (loaded: number) =>
    count(loaded, {
      one: 'Names are searched only in the # office loaded so far. The search is by number.',
      other: 'Names are searched only in the # offices loaded so far. The search is by number.',
    }),
  noName: 'No name matches.',
  none: (number: string) => `No office number starts with ${number}.`,
  /** At an office of a higher level than the field accepts. Choosing it lists the offices below. */
  open: 'See the offices below',
  checking: 'Checking the number…',
  unchecked: "The number couldn't be checked. You can send it as it is.",
  missing: (what: string, example: string) => `Enter the number of ${what}, such as ${example}.`,
  notANumber: (example: string) => `Choose an office from the list, or enter its number, such as ${example}.`,
  incomplete: 'An office number has 2, 6 or 10 digits, such as 11, 11-0420 or 11-0420-0010.',
  /** `found` and `wanted` are of `levels`. */
  wrongLevel: (key: string, found: string, wanted: string, example: string) =>
    `${key} is the number of ${found}. Enter the number of ${wanted}, such as ${example}.`,
  unknown: (key: string) => `The search finds no office ${key}. Check the number.`,
}
