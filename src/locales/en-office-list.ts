// The messages in the list of <wf-office>, apart from `en-office.ts` because they load with the list.

export const officeList = {
  /** Before anything has been typed. */
  start: 'Type the first two digits. The search is by number.',
  /** Below all offices that the search found. */
  found: { one: '# office.', other: '# offices.' },
  /** Below the first `shown` of # offices. */
  foundMore: { other: '{shown} of # offices. Type more of the number.' },
  /** Follows `found` if the text is part of a name. */
  amongLoaded: {
    one: 'Names are searched only in the # office loaded so far. The search is by number.',
    other: 'Names are searched only in the # offices loaded so far. The search is by number.',
  },
  noName: 'No name matches.',
  none: 'No office number starts with {number}.',
  /** At an office of a higher level than the field accepts. Choosing it lists the offices below. */
  open: 'See the offices below',
} as const
