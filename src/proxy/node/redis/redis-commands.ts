import type { RedisClient } from './redis-connection.ts'
import { type RedisScript, runScript } from './redis-script.ts'

/** How parts of a `Redis` send commands. */
export interface RedisCommands {
  /** Returns the client of now. */
  readonly client: () => RedisClient
  /** Rejects if a reply takes too long. */
  readonly reply: <T>(reply: Promise<T>) => Promise<T>
  readonly run: (script: RedisScript, ...args: readonly (string | number)[]) => Promise<unknown>
}

export function createRedisCommands(client: () => RedisClient, reply: RedisCommands['reply']): RedisCommands {
  return { client, reply, run: (script, ...args) => reply(runScript(client(), script, args)) }
}
