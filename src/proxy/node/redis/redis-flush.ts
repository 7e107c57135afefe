import type { Log } from '../../observe/log.ts'
import type { RedisCommands } from './redis-commands.ts'

/**
 * Creates a function that resolves when Redis has written to its disk what was sent before, if the server can tell: WAITAOF
 * exists since 7.2, and needs `appendonly yes`. With others it resolves at once, and the log contains what they may lose. Calls
 * that come while one waits share the next.
 */
export function createFlush({ client, reply }: RedisCommands, log: Log): () => Promise<void> {
  let canWait: boolean | undefined
  let running: Promise<void> | undefined
  let next: Promise<void> | undefined

  async function flush(): Promise<void> {
    canWait ??= await inspect()
    if (!canWait) return
    try {
      const command = ['WAITAOF', '1', '0', String(flushTimeout)]
      const [local] = await reply(client().sendCommand<unknown[]>(command))
      if (Number(local) < 1) throw new Error('Redis did not write to its disk in time')
    } catch (error) {
      // Asked, not derived from the version: other servers report a version of Redis, and commands can be renamed.
      if (error instanceof Error && error.message.startsWith('ERR unknown command')) {
        canWait = false
        log('info', unknownText, {})
        return
      }
      // The connection may lead to another server now.
      canWait = undefined
      throw error
    }
  }

  /** Finds out what the server does with its data, and logs what it may lose. */
  async function inspect(): Promise<boolean> {
    const facts = await reply(client().info())
    const factOf = (name: string) => new RegExp(`^${name}:(.*?)\\s*$`, 'm').exec(facts)?.[1]
    if (factOf('aof_enabled') === '0')
      log('warn', 'Redis keeps no log on its disk, so its end loses callbacks. Set appendonly yes.', {})
    if (factOf('maxmemory_policy')?.startsWith('allkeys') === true)
      log('warn', 'Redis may evict callbacks. Set maxmemory-policy noeviction.', {})
    return factOf('aof_enabled') === '1'
  }

  return () => {
    next ??= (running ?? Promise.resolve())
      .catch(() => {})
      .then(() => {
        next = undefined
        return (running = flush())
      })
    return next
  }
}

const unknownText =
  'Redis does not know WAITAOF: a crash of it may lose the callbacks of the last two seconds, unless appendfsync is always.'

/** In ms. With `appendfsync everysec`, Redis writes once a second. */
const flushTimeout = 2_500
