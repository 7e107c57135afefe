/**
 * Logs an event for the operator: `warn` and `error` if it needs attention, `info` for who changed what. Facts never contain a
 * secret, a link, or text that people have written.
 */
export type Log = (
  level: 'info' | 'warn' | 'error',
  message: string,
  facts: Readonly<Record<string, unknown>>,
) => void
