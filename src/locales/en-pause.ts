// The messages about a frozen route in <wf-package-status>, apart from `en.ts` because they load with that part.

export const pause = {
  /** The next two come before the time. `stop` is one of the two after them, or the name of the stop. */
  since: 'Paused since',
  sinceAt: 'Paused at {stop} since',
  stop: 'stop {number}',
  namedStop: 'stop {number}, {name},',
  /** The time is not known. */
  paused: 'Paused',
  pausedAt: 'Paused at {stop}',
  release: 'Let it continue',
  title: 'Let this request continue?',
  consequence:
    'The route goes on from this stop, and the next people get the request. The application that paused it may not have finished: if you are not sure, ask its owner first.',
  reason: 'Reason',
  reasonHint: 'The reason is recorded with your name in the log of this site.',
  reasonMissing: 'Enter why the request may continue.',
  keep: 'Keep it paused',
  busy: 'One moment…',
  continues: 'The request continues.',
  waits:
    'The pause was released, but the request is still in nobody’s inbox. Check again in a moment: it may need a little time, or be paused again.',
  signedOut: 'Your session has ended. Sign in and come back to this page. The request is still paused.',
  forbidden: 'You may not do this. The request is still paused.',
  outdated: 'This pause has ended or changed in the meantime. Close this and check the request.',
  refused: 'This was refused. The request is still paused.',
  uncertain:
    'The response was lost, so the request may or may not continue. Close this and check the request.',
} as const
