import { packageKey } from '../../changes/bus.ts'
import type { LockStore, StoredLock } from '../../locks/lock-store.ts'
import { type RedisCommands, redisScript } from './redis-commands.ts'

/** Arguments: key, package, id of the lock. Another process may have stored a later lock meanwhile. */
const removeScript = redisScript(`
local text = redis.call('HGET', ARGV[1], ARGV[2])
if text and cjson.decode(text).lockId == tonumber(ARGV[3]) then redis.call('HDEL', ARGV[1], ARGV[2]) end
return 1`)

/** Creates a store of locks that several processes share, in one hash. */
export function createRedisLockStore(key: string, { client, reply, run }: RedisCommands): LockStore {
  return {
    async put(lock) {
      await reply(client().hSet(key, packageKey(lock), JSON.stringify(lock)))
    },
    async get(hint) {
      const text = await reply(client().hGet(key, packageKey(hint)))
      return text === null ? undefined : (JSON.parse(text) as StoredLock)
    },
    async remove({ formId, packageId, lockId }) {
      await run(removeScript, key, packageKey({ formId, packageId }), lockId)
    },
    async list() {
      return (await reply(client().hVals(key))).map((text) => JSON.parse(text) as StoredLock)
    },
  }
}
