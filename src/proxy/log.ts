/**
 * Writes down what an operator should know: `warn` and `error` what needs looking at, `info` who changed what. Facts hold
 * no secret, no link, and nothing of what people wrote.
 */
export type Log = (
  level: 'info' | 'warn' | 'error',
  message: string,
  facts: Readonly<Record<string, unknown>>,
) => void
