import { createHash } from 'node:crypto'
import type { RedisClient } from './redis-connection.ts'

/** A program that Redis runs as one step. */
export interface RedisScript {
  readonly text: string
  readonly sha: string
}

export function redisScript(text: string): RedisScript {
  return { text, sha: createHash('sha1').update(text).digest('hex') }
}

/** Runs a script, and sends its text only if Redis does not know it. */
export async function runScript(
  client: Pick<RedisClient, 'evalSha' | 'eval'>,
  { text, sha }: RedisScript,
  args: readonly (string | number)[],
): Promise<unknown> {
  const options = { arguments: args.map(String) }
  try {
    return await client.evalSha(sha, options)
  } catch (error) {
    if (!String(error).includes('NOSCRIPT')) throw error
    return await client.eval(text, options)
  }
}
