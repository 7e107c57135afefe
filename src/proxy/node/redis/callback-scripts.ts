import { redisScript } from './redis-commands.ts'

// Each script is one step for all processes. The names of the keys, after the prefix of the mount:
//   callback:<id>      hash: the callback, its place in the stream and its failed attempts
//   stream             one entry for each callback that has not taken effect, in the order of arrival
//   order:<package>    list of ids: the callbacks of a package that have not taken effect, in the order of arrival
//   owners             hash: the process that handles a package, by package
//   dead               sorted set of the ids of dead letters, by time of arrival
//   done:<id>          exists for seven days after a callback has taken effect
//   processes          set of the processes that have handled packages
//   wake:<process>     set of packages whose next attempt a process should make now

/** Returns the first callback of a package, and makes `me` its owner; without one, nobody owns it. */
const turn = `
local function turn(prefix, me, package, known)
  local order = prefix .. 'order:' .. package
  local id = redis.call('LINDEX', order, 0)
  while id and redis.call('EXISTS', prefix .. 'callback:' .. id) == 0 do
    redis.call('LPOP', order)
    id = redis.call('LINDEX', order, 0)
  end
  if not id then
    redis.call('HDEL', prefix .. 'owners', package)
    return false
  end
  redis.call('HSET', prefix .. 'owners', package, me)
  redis.call('SADD', prefix .. 'processes', me)
  if id == known then return false end
  local facts = redis.call('HMGET', prefix .. 'callback:' .. id,
    'formId', 'packageId', 'sequence', 'receivedAt', 'attempts', 'dueAt', 'lastError')
  table.insert(facts, 1, id)
  return facts
end
local function append(prefix, id, package)
  redis.call('RPUSH', prefix .. 'order:' .. package, id)
  return redis.call('XADD', prefix .. 'stream', '*', 'id', id, 'package', package)
end
local function remove(prefix, id, package)
  local entry = redis.call('HGET', prefix .. 'callback:' .. id, 'entry')
  if entry then
    redis.call('XACK', prefix .. 'stream', 'proxy', entry)
    redis.call('XDEL', prefix .. 'stream', entry)
  end
  redis.call('LREM', prefix .. 'order:' .. package, 0, id)
end
local function packageOf(prefix, id)
  local key = redis.call('HMGET', prefix .. 'callback:' .. id, 'formId', 'packageId')
  return key[1] and key[1] .. '-' .. key[2]
end
`

/** Arguments: prefix, id, package, dueAt (empty for a dead letter), receivedAt, and fields. Returns 1 if it is new. */
export const addScript = redisScript(`${turn}
local prefix, id, package, dueAt, receivedAt = ARGV[1], ARGV[2], ARGV[3], ARGV[4], ARGV[5]
local key = prefix .. 'callback:' .. id
if redis.call('EXISTS', prefix .. 'done:' .. id) == 1 then return 0 end
local known = redis.call('HGET', key, 'dueAt')
if known and known ~= '' then return 0 end
redis.call('DEL', key)
redis.call('ZREM', prefix .. 'dead', id)
redis.call('HSET', key, 'dueAt', dueAt, 'receivedAt', receivedAt, unpack(ARGV, 6))
if dueAt == '' then redis.call('ZADD', prefix .. 'dead', receivedAt, id)
else redis.call('HSET', key, 'entry', append(prefix, id, package)) end
return 1`)

/**
 * Arguments: prefix, prefix of leases, me, package, id of the callback of this package that this process handles. Returns another
 * callback if this process is to handle it.
 */
export const takeScript = redisScript(`${turn}
local prefix, leases, me, package, known = ARGV[1], ARGV[2], ARGV[3], ARGV[4], ARGV[5]
local owner = redis.call('HGET', prefix .. 'owners', package)
if owner and owner ~= me and redis.call('EXISTS', leases .. owner) == 1 then return false end
return turn(prefix, me, package, known)`)

/** Arguments: prefix, me, id, package, seconds to remember it. Returns the next callback of the package if `me` owns it. */
export const finishScript = redisScript(`${turn}
local prefix, me, id, package, seconds = ARGV[1], ARGV[2], ARGV[3], ARGV[4], ARGV[5]
package = packageOf(prefix, id) or package
remove(prefix, id, package)
redis.call('DEL', prefix .. 'callback:' .. id)
redis.call('ZREM', prefix .. 'dead', id)
redis.call('SET', prefix .. 'done:' .. id, '1', 'EX', seconds)
if redis.call('HGET', prefix .. 'owners', package) ~= me then return false end
return turn(prefix, me, package, '')`)

/**
 * Arguments: prefix, me, id, attempts, dueAt (empty for a dead letter), lastError. Does nothing if another process owns the
 * package. Returns the next callback after a dead letter if `me` owns the package.
 */
export const updateScript = redisScript(`${turn}
local prefix, me, id, attempts, dueAt, lastError = ARGV[1], ARGV[2], ARGV[3], ARGV[4], ARGV[5], ARGV[6]
local key = prefix .. 'callback:' .. id
local package = packageOf(prefix, id)
if not package then return false end
local owner = redis.call('HGET', prefix .. 'owners', package)
if owner and owner ~= me then return false end
redis.call('HSET', key, 'attempts', attempts, 'dueAt', dueAt, 'lastError', lastError)
if dueAt ~= '' then return false end
remove(prefix, id, package)
redis.call('HDEL', key, 'entry')
redis.call('ZADD', prefix .. 'dead', redis.call('HGET', key, 'receivedAt'), id)
if not owner then return false end
return turn(prefix, me, package, '')`)

/** Arguments: prefix, id, now. Returns 0 if the callback is not stored. */
export const replayScript = redisScript(`${turn}
local prefix, id, now = ARGV[1], ARGV[2], ARGV[3]
local key = prefix .. 'callback:' .. id
local package = packageOf(prefix, id)
if not package then return 0 end
local dueAt = redis.call('HGET', key, 'dueAt')
redis.call('HSET', key, 'dueAt', now)
if dueAt == '' then
  redis.call('ZREM', prefix .. 'dead', id)
  redis.call('HSET', key, 'attempts', 0, 'entry', append(prefix, id, package))
else
  local owner = redis.call('HGET', prefix .. 'owners', package)
  if owner then
    redis.call('SADD', prefix .. 'wake:' .. owner, package)
    redis.call('EXPIRE', prefix .. 'wake:' .. owner, 3600)
  end
end
return 1`)

/** Arguments: prefix, me, id. Returns the fields of a callback if `me` owns its package. */
export const readOwnScript = redisScript(`${turn}
local prefix, me, id = ARGV[1], ARGV[2], ARGV[3]
local package = packageOf(prefix, id)
if not package or redis.call('HGET', prefix .. 'owners', package) ~= me then return false end
return redis.call('HMGET', prefix .. 'callback:' .. id,
  'body', 'formId', 'packageId', 'sequence', 'receivedAt', 'attempts', 'dueAt', 'lastError')`)

/** Arguments: prefix, process. Forgets a process that owns nothing, and to which nothing was delivered that is still pending. */
export const forgetProcessScript = redisScript(`
local prefix, process = ARGV[1], ARGV[2]
if #redis.call('XPENDING', prefix .. 'stream', 'proxy', '-', '+', 1, process) > 0 then return 0 end
redis.call('XGROUP', 'DELCONSUMER', prefix .. 'stream', 'proxy', process)
redis.call('SREM', prefix .. 'processes', process)
redis.call('DEL', prefix .. 'wake:' .. process)
return 1`)
