// The messages of <wf-comments>, apart from `en.ts` because they load with the element.

export const comments = {
  list: 'Comments',
  empty: 'No comments yet.',
  /** Roles of authors, and the mark of comments that arrived while the page was open. */
  initiator: 'Initiator',
  approver: 'Approver, stop {number}',
  new: 'New',
  approversOnly: 'Approvers only',
  inactive: 'Inactive',
  more: 'Show more',
  less: 'Show less',
  search: 'Search comments',
  found: '{found} of {total}',
  none: 'No comments match.',
  hideInactive: { other: 'Hide inactive (#)' },
  /** Announced if there is only one, and its author is known. */
  addedBy: '1 new comment from {name}.',
  added: { one: '# new comment.', other: '# new comments.' },
} as const
