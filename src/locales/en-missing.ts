// The messages about what a request lacks, in <wf-package-status> and the review of <wf-form>, apart from `en.ts` because they
// load with that part.

export const missing = {
  /** What a package in no inbox waits for, in place of a name. */
  release: 'release at “{stop}”',
  held: 'An application connected to the form holds the route at this stop. If this takes long, ask the owner of the form.',
  /** Who can release the route, to people who may not. */
  releasers:
    'That application can let it continue, and so can the people to whom this site gives permission.',
  /** Follows the titles of `number` documents. */
  lacksDocument: {
    one: 'Required document. The initiator or an approver must upload it.',
    other: 'Required documents. The initiator or an approver must upload them.',
  },
  unknownReason: 'This request isn’t in anyone’s inbox. We don’t know why. Ask the owner of the form.',
  /** To a person who can sign, although the inboxes do not name this person. */
  signature: 'You can sign this request.',
  /** To the last person who must sign. `titles` names `number` documents. */
  refusal: {
    one: 'The service may refuse your signature until {titles} is uploaded.',
    other: 'The service may refuse your signature until {titles} are uploaded.',
  },
  /** Before routing starts. */
  completion: 'Still needed before the last signature: {titles}.',
  /** After routing has started. */
  nobodyAt: 'Nobody is named at “{stop}”. Ask the owner of the form.',
  unchecked: {
    documents: 'Whether a document is missing could not be checked.',
    route: 'The rest of the route could not be checked.',
    pause: 'Whether an application holds the route could not be checked.',
  },
} as const
