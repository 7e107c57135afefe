// The messages of <wf-route>, apart from `en.ts` because they load with the element.

export const route = {
  label: 'Route',
  /** Before there is a request. `key` is the number of an office, or its name with the number in parentheses. */
  usual: 'Usual route for {key}',
  usualHint: 'The form may add other stops.',
  optOut: 'The request skips this office if the form allows that.',
  /** Announced after another office was chosen. */
  changed: { one: 'The usual route of {key}: # stop.', other: 'The usual route of {key}: # stops.' },
  chooseOffice: 'Choose an office to see its usual route.',
  chooseSubType: 'The route may depend on the type of the request. Choose the type to see it.',
  noRoute: 'No usual route was found for {key}. You can still submit the request.',
  refused: 'The route could not be looked up. You can still submit the request.',
  stop: { other: 'Stop #' },
  signed: 'signed',
  viewers: 'No signature needed',
  nobody: 'Nobody at present',
  /** Follows a role. Alone if the role is not known. */
  atPresent: 'currently in this role',
  own: 'You approve your own request at “{stop}”.',
  initiatorApproves: '{name} made this request and approves it at “{stop}”.',
  twice: '{name} has to approve more than once: {stops}.',
  nobodyAt: 'Nobody is named at “{stop}”. Ask the office before you submit the request.',
} as const
