import { redisScript } from './redis-commands.ts'

// Each script is one step for all processes. The names of the keys, after the prefix of the mount:
//   p:<form>-<id>          hash: what is known of a package. A value that is not known is missing; holders are JSON
//   forms                  set of the forms that have packages
//   due:<form>             sorted set of the packages of a form, by the time of the next check
//   leases:<form>          sorted set of those that a process checks now, by the time until which others leave them alone
//   mine:<form>:<person>   sorted set of the packages that a person started, by the last change
//   waits:<form>:<person>  the same of those that a person holds; without a person, of those that somebody holds who is not known
//   state:<form>:<state>, stop:<form>:<stop>, office:<form>:<office>, place:<form>:<stop>:<office>
//                          the same of those in a state, and of those that somebody holds at a stop, for an office, or both
//   states                 set of the states that packages have had
//   reminders:<form>-<id>  hash: the reminders of a package, by time
//   sent:<person>          sorted set of the reminders that a person asked for, by time
//   notes                  hash
//   turn                   when the next call of the service may begin
//   lock:<form>-<id>       the change of an entry that is running
//   changes                stream of changes of the last minute, for lists that are open in other processes

const common = `
local prefix = ARGV[1]
local function nameOf(form, id) return form .. '-' .. id end
local function read(form, id)
  local pairs = redis.call('HGETALL', prefix .. 'p:' .. nameOf(form, id))
  if #pairs == 0 then return nil end
  local facts = {}
  for at = 1, #pairs, 2 do facts[pairs[at]] = pairs[at + 1] end
  return facts
end
local function listsOf(form, facts)
  local lists = {}
  local function put(kind, ...) lists[table.concat({ kind, form, ... }, ':')] = true end
  if facts.initiator then put('mine', facts.initiator) end
  if facts.state then put('state', facts.state) end
  for _, holder in ipairs(cjson.decode(facts.holders or '[]')) do
    local person, stop, office = holder.person, holder.stop, holder.office
    put('waits', person == cjson.null and '' or person)
    if stop ~= cjson.null then put('stop', stop) end
    if office ~= cjson.null then put('office', office) end
    if stop ~= cjson.null and office ~= cjson.null then put('place', stop, office) end
  end
  return lists
end
-- In this form, the order of texts is the order of numbers.
local function placeOf(id) return string.char(96 + #id) .. id end
local function move(form, id, before, after, changedAt, isMoved)
  for list in pairs(before) do
    if not after[list] then redis.call('ZREM', prefix .. list, placeOf(id)) end
  end
  for list in pairs(after) do
    if isMoved or not before[list] then redis.call('ZADD', prefix .. list, changedAt, placeOf(id)) end
  end
end
`

/** Arguments: prefix, time, 1 to request a check of packages that are known, and form and id of each package. */
export const addScript = redisScript(`${common}
local at, isRequested = ARGV[2], ARGV[3] == '1'
for place = 4, #ARGV, 2 do
  local form, id = ARGV[place], ARGV[place + 1]
  local key = prefix .. 'p:' .. nameOf(form, id)
  if redis.call('EXISTS', key) == 0 then
    redis.call('HSET', key, 'learntAt', at, 'changedAt', at)
    redis.call('ZADD', prefix .. 'due:' .. form, 0, id)
    redis.call('SADD', prefix .. 'forms', form)
  elseif isRequested then
    redis.call('HINCRBY', key, 'requests', 1)
    redis.call('ZADD', prefix .. 'due:' .. form, 'LT', 1, id)
  end
end
return 1`)

/**
 * Arguments: prefix, time, maximum number, and until when others leave these packages alone: empty only to read. Returns a form, and
 * id, time of the check and facts of each of its packages.
 */
export const dueScript = redisScript(`${common}
local at, max, lease = ARGV[2], tonumber(ARGV[3]), ARGV[4]
local isTaken = lease ~= ''
local function dueOf(form, number)
  local leases = prefix .. 'leases:' .. form
  local skipped = 0
  if isTaken then
    redis.call('ZREMRANGEBYSCORE', leases, '-inf', at)
    skipped = redis.call('ZCARD', leases)
  end
  local rows = redis.call('ZRANGEBYSCORE', prefix .. 'due:' .. form, '-inf', at, 'WITHSCORES', 'LIMIT', 0, number + skipped)
  local found = {}
  for place = 1, #rows, 2 do
    if #found < number and not (isTaken and redis.call('ZSCORE', leases, rows[place])) then
      table.insert(found, { rows[place], rows[place + 1] })
    end
  end
  return found
end
local form, first
for _, other in ipairs(redis.call('SMEMBERS', prefix .. 'forms')) do
  local row = dueOf(other, 1)[1]
  if row and (not first or tonumber(row[2]) < first) then form, first = other, tonumber(row[2]) end
end
if not form then return false end
local found = dueOf(form, max)
for _, row in ipairs(found) do
  if isTaken then redis.call('ZADD', prefix .. 'leases:' .. form, lease, row[1]) end
  table.insert(row, redis.call('HGETALL', prefix .. 'p:' .. nameOf(form, row[1])))
end
return { form, found }`)

/**
 * Arguments: prefix, and of each check: form, id, number of requests, time of the next check, holders (empty if they stay), time of
 * the last change, state, initiator, beginning, digest, and since when it is absent. A value that is not known is empty.
 */
export const recordScript = redisScript(`${common}
local names = { 'changedAt', 'state', 'initiator', 'started', 'digest', 'absentSince' }
for place = 2, #ARGV, 11 do
  local form, id, requests, dueAt, holders = unpack(ARGV, place, place + 4)
  local known = read(form, id)
  if known then
    local key = prefix .. 'p:' .. nameOf(form, id)
    local before, changedAt = listsOf(form, known), known.changedAt
    if holders ~= '' then known.holders = holders end
    for at, name in ipairs(names) do
      local value = ARGV[place + 4 + at]
      known[name] = value ~= '' and value or nil
      if value ~= '' then redis.call('HSET', key, name, value) else redis.call('HDEL', key, name) end
    end
    if known.holders == '[]' then redis.call('HDEL', key, 'holders')
    elseif holders ~= '' then redis.call('HSET', key, 'holders', holders) end
    if known.state then redis.call('SADD', prefix .. 'states', known.state) end
    move(form, id, before, listsOf(form, known), known.changedAt, changedAt ~= known.changedAt)
    if (known.requests or '0') == requests then redis.call('ZADD', prefix .. 'due:' .. form, dueAt, id) end
    redis.call('ZREM', prefix .. 'leases:' .. form, id)
  end
end
return 1`)

/** Arguments: prefix, and form and id of each package. */
export const removeScript = redisScript(`${common}
for place = 2, #ARGV, 2 do
  local form, id = ARGV[place], ARGV[place + 1]
  local known, name = read(form, id), nameOf(form, id)
  if known then
    move(form, id, listsOf(form, known), {})
    local sent = redis.call('HGETALL', prefix .. 'reminders:' .. name)
    for at = 1, #sent, 2 do
      redis.call('ZREM', prefix .. 'sent:' .. cjson.decode(sent[at + 1]).person, name .. ' ' .. sent[at])
    end
    redis.call('DEL', prefix .. 'p:' .. name, prefix .. 'reminders:' .. name)
    redis.call('ZREM', prefix .. 'due:' .. form, id)
    redis.call('ZREM', prefix .. 'leases:' .. form, id)
  end
end
return 1`)

/** Arguments: prefix, person. */
export const forgetScript = redisScript(`${common}
local person = ARGV[2]
local function forget(form, place)
  local id = string.sub(place, 2)
  local known, key = read(form, id), prefix .. 'p:' .. nameOf(form, id)
  local before = listsOf(form, known)
  if known.initiator == person then
    known.initiator = nil
    redis.call('HDEL', key, 'initiator')
  end
  local kept = {}
  for _, holder in ipairs(cjson.decode(known.holders or '[]')) do
    if holder.person ~= person then table.insert(kept, holder) end
  end
  -- Lua writes a list without elements as an object.
  known.holders = #kept > 0 and cjson.encode(kept) or nil
  if known.holders then redis.call('HSET', key, 'holders', known.holders) else redis.call('HDEL', key, 'holders') end
  move(form, id, before, listsOf(form, known), known.changedAt)
end
for _, form in ipairs(redis.call('SMEMBERS', prefix .. 'forms')) do
  for _, list in ipairs({ 'mine:', 'waits:' }) do
    for _, place in ipairs(redis.call('ZRANGE', prefix .. list .. form .. ':' .. person, 0, -1)) do forget(form, place) end
  end
end
for _, member in ipairs(redis.call('ZRANGE', prefix .. 'sent:' .. person, 0, -1)) do
  local name, at = string.match(member, '^(.*) (.*)$')
  local reminder = cjson.decode(redis.call('HGET', prefix .. 'reminders:' .. name, at))
  reminder.person = ''
  redis.call('HSET', prefix .. 'reminders:' .. name, at, cjson.encode(reminder))
  redis.call('ZADD', prefix .. 'sent:', at, member)
end
redis.call('DEL', prefix .. 'sent:' .. person)
return 1`)

/** Arguments: prefix, form, id. Returns facts, time of the next check and reminders of a package. */
export const findScript = redisScript(`${common}
local form, id = ARGV[2], ARGV[3]
return {
  redis.call('HGETALL', prefix .. 'p:' .. nameOf(form, id)),
  redis.call('ZSCORE', prefix .. 'due:' .. form, id) or '0',
  redis.call('HGETALL', prefix .. 'reminders:' .. nameOf(form, id)),
}`)

/**
 * Arguments: prefix, form, id, time, time after which none may have been sent, maximum for the same holders, time since which those of
 * the person count, their maximum, person, holders, and the reminder. Returns 1 if it was added.
 */
export const claimScript = redisScript(`${common}
local name, at, since, perHolders = nameOf(ARGV[2], ARGV[3]), ARGV[4], tonumber(ARGV[5]), tonumber(ARGV[6])
local daySince, perDay, person, holders = ARGV[7], tonumber(ARGV[8]), ARGV[9], ARGV[10]
if redis.call('EXISTS', prefix .. 'p:' .. name) == 0 then return 0 end
local sent = redis.call('HGETALL', prefix .. 'reminders:' .. name)
local count = 0
for place = 1, #sent, 2 do
  if tonumber(sent[place]) > since then return 0 end
  if cjson.decode(sent[place + 1]).holders == holders then count = count + 1 end
end
if count >= perHolders then return 0 end
if redis.call('ZCOUNT', prefix .. 'sent:' .. person, '(' .. daySince, '+inf') >= perDay then return 0 end
redis.call('ZADD', prefix .. 'sent:' .. person, at, name .. ' ' .. at)
return redis.call('HSETNX', prefix .. 'reminders:' .. name, at, ARGV[11])`)

/** Arguments: prefix, form, id, time, and 1 if it was sent. */
export const settleScript = redisScript(`${common}
local name, at = nameOf(ARGV[2], ARGV[3]), ARGV[4]
local text = redis.call('HGET', prefix .. 'reminders:' .. name, at)
if not text then return 0 end
local reminder = cjson.decode(text)
if ARGV[5] == '1' then
  reminder.isConfirmed = true
  redis.call('HSET', prefix .. 'reminders:' .. name, at, cjson.encode(reminder))
else
  redis.call('HDEL', prefix .. 'reminders:' .. name, at)
  redis.call('ZREM', prefix .. 'sent:' .. reminder.person, name .. ' ' .. at)
end
return 1`)

/**
 * Arguments: prefix, maximum number, the place after which to begin (time of the last change, form and id; empty: the beginning), the
 * state that packages must have (empty: any), and of each list: form, name, and the maximum number of its packages that count (empty: no maximum). Returns whether a list has more
 * than that, and form, id, and facts of each package.
 */
export const listScript = redisScript(`${common}
local max, changedAt, afterForm, afterId, state = tonumber(ARGV[2]), ARGV[3], tonumber(ARGV[4]), ARGV[5], ARGV[6]
-- The number of packages of a list that do not come after the place.
local function passed(key, form)
  if changedAt == '' then return 0 end
  local low = redis.call('ZCOUNT', key, '(' .. changedAt, '+inf')
  if form < afterForm then return low end
  local high = low + redis.call('ZCOUNT', key, changedAt, changedAt)
  if form > afterForm then return high end
  local place = placeOf(afterId)
  while low < high do
    local middle = math.floor((low + high) / 2)
    if redis.call('ZREVRANGE', key, middle, middle)[1] >= place then low = middle + 1 else high = middle end
  end
  return low
end
local isCut, found, isKnown = 0, {}, {}
for place = 7, #ARGV, 3 do
  local form, key, limit = ARGV[place], prefix .. ARGV[place + 1], tonumber(ARGV[place + 2])
  local size = redis.call('ZCARD', key)
  if limit and size > limit then isCut, size = 1, limit end
  local first, wanted = passed(key, tonumber(form)), max
  while wanted > 0 and first < size do
    local rows = redis.call('ZREVRANGE', key, first, math.min(first + max, size) - 1, 'WITHSCORES')
    first = first + max
    for at = 1, #rows, 2 do
      local name = nameOf(form, string.sub(rows[at], 2))
      if wanted > 0 and (state == '' or redis.call('HGET', prefix .. 'p:' .. name, 'state') == state) then
        if not isKnown[name] then table.insert(found, { form = form, place = rows[at], time = tonumber(rows[at + 1]) }) end
        isKnown[name] = true
        wanted = wanted - 1
      end
    end
  end
end
table.sort(found, function(one, other)
  if one.time ~= other.time then return one.time > other.time end
  if one.form ~= other.form then return tonumber(one.form) > tonumber(other.form) end
  return one.place > other.place
end)
local result = {}
for at = 1, math.min(max, #found) do
  local form, id = found[at].form, string.sub(found[at].place, 2)
  table.insert(result, { form, id, redis.call('HGETALL', prefix .. 'p:' .. nameOf(form, id)) })
end
return { isCut, result }`)

/** Arguments: prefix, name, the text that the note must have (empty: it must not exist), the new text. Returns 1 if it was changed. */
export const replaceNoteScript = redisScript(`${common}
local name, before, text = ARGV[2], ARGV[3], ARGV[4]
if (redis.call('HGET', prefix .. 'notes', name) or '') ~= before then return 0 end
redis.call('HSET', prefix .. 'notes', name, text)
return 1`)

/** Arguments: prefix, time between two calls in ms. Returns the time in ms until the next call may begin. */
export const turnScript = redisScript(`${common}
local interval = tonumber(ARGV[2])
local clock = redis.call('TIME')
local now = clock[1] * 1000 + clock[2] / 1000
local next = tonumber(redis.call('GET', prefix .. 'turn') or '0')
-- The clock may have been set back.
local start = (next > now and next < now + 60000) and next or now
redis.call('SET', prefix .. 'turn', string.format('%.3f', start + interval), 'PX', 60000)
return math.ceil(start - now)`)
