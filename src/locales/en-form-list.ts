// The messages of a <wf-list> of a form, apart from `en-list.ts` because few pages have one.

export const formList = {
  /** Names the controls that choose which requests are shown. */
  conditions: 'Which requests are shown',
  state: 'State',
  allStates: 'All states',
  /** Label of a number: nothing has happened to the request for that long. */
  days: 'Days without change, at least',
  stop: 'Stop',
  allStops: 'All stops',
  office: 'Office',
  /** `example` is the number of an office. */
  notANumber: 'Enter the number of an office, such as {example}.',
  /** Removes all conditions. */
  all: 'Show all',
  /** Announced when other requests are shown. `count` is such as "7" or "100+". */
  shown: 'Requests shown: {count}',
  /** In a row. */
  atStop: 'Stop: {stop}',
  ofOffice: 'Office: {office}',
  /** The list is never known to be complete, so neither text may say that there is no request. */
  empty: 'This page knows of no request of this form that you may view.',
  noneFits: 'This page knows of no request that meets these conditions and that you may view.',
  forbidden: 'This site does not let you list the requests of this form. Ask the site owner.',
} as const
