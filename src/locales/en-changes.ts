/** What a change did that a server before the proxy refused. Follows the message that says so. */
export const changes = {
  notDone: 'Nothing was changed.',
  mayBeDone: 'It may have happened nevertheless. Close this and check.',
} as const
