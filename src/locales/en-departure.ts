// The messages of <wf-list> about requests that have left it, apart from `en-list.ts` because they load with the code that finds out.

/** Why a request no longer belongs in the list, or in its part of it. */
export const departure = {
  signed: 'You signed this',
  submitted: 'This was submitted',
  elsewhere: 'This no longer waits for you',
  hidden: 'You may no longer view this',
} as const
