// The messages of <wf-comments>, apart from `en.ts` because they load with the element.

export const comments = {
  list: 'Comments',
  empty: 'No comments yet.',
  approversOnly: 'Approvers only',
  inactive: 'Inactive',
  more: 'Show more',
  less: 'Show less',
  search: 'Search comments',
  found: '{found} of {total}',
  none: 'No comments match.',
  hideInactive: { other: 'Hide inactive (#)' },
  added: { one: '# new comment.', other: '# new comments.' },
} as const
