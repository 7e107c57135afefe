import { createHash } from 'node:crypto'
import type { RedisClient } from './redis-connection.ts'

/** How parts of a `Redis` send commands. */
export interface RedisCommands {
  /** Returns the client of now. */
  readonly client: () => RedisClient
  /** Rejects if a reply takes too long. */
  readonly reply: <T>(reply: Promise<T>) => Promise<T>
  readonly run: (script: RedisScript, ...args: readonly (string | number)[]) => Promise<unknown>
}

/** A program that Redis runs as one step. */
export interface RedisScript {
  readonly text: string
  readonly sha: string
}

export function createRedisCommands(client: () => RedisClient, reply: RedisCommands['reply']): RedisCommands {
  return { client, reply, run: (script, ...args) => reply(runScript(client(), script, args)) }
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
