// The messages in the list of <wf-office>, apart from `en-office.ts` because they load with the list.
import { plural } from './plural.ts'

const count = plural('en')

export const officeList = {
  /** Before anything has been typed. */
  start: 'Type the first two digits. The search is by number.',
  /** Below `shown` of `total` offices. */
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
}
