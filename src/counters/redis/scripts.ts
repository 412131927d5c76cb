import { MEMBER_CHARACTERS } from './key-names.ts';

/** A Lua script with its name. The server stores it under the hash of its text. */
export interface Script {
  readonly name: string;
  readonly lua: string;
}

/** Of one key in the list of members. */
const ENTRY = MEMBER_CHARACTERS + 1;
/** A member of a key that no attempt has. */
export const PROBE_MEMBER = `0${'-'.repeat(MEMBER_CHARACTERS)}`;
/** Counts are stored in so many steps in the result of a script. The counts of a key end there. */
export const COUNT_STEPS = 8_192;

/**
 * Counts the observations of one or several attempts, in order, as the table in memory does. One sorted set per key.
 * Its scores are the times when members were last seen. A provisional member has a score half a millisecond earlier.
 *
 * KEYS: one per observation. ARGV: the time in ms, empty for this server's clock; the most members per key; lifetime in
 * ms of a key with one member; for each key a digit, 1 when the observation is provisional, and the member, all in one
 * text, because each argument costs time on both sides.
 * Returns the time, then one number for each key: its four counts, and whether a provisional member was added.
 *
 * The first write adds a member. A server without memory refuses the script there, before any partial change
 * (redis/redis#8478).
 */
export const OBSERVE: Script = {
  name: 'observe',
  lua: `
local now = tonumber(ARGV[1])
if not now then
  local time = redis.call('TIME')
  now = time[1] * 1000 + math.floor(time[2] / 1000)
end
local most, lifetime, members = tonumber(ARGV[2]), tonumber(ARGV[3]), ARGV[4]
local DAY, LATE = 86400000, 60000
local out = {now}
local function count(key, length, score)
  local n = redis.call('ZCOUNT', key, '(' .. (now - length), '+inf')
  if not score or score <= now - length then n = n + 1 end
  return n < most and n or most
end
for i, key in ipairs(KEYS) do
  local last = i * ${ENTRY}
  local member = string.sub(members, last - ${MEMBER_CHARACTERS - 1}, last)
  local provisional = string.byte(members, last - ${MEMBER_CHARACTERS}) == 49
  if not provisional then redis.call('ZADD', key, now, member) end
  local size = redis.call('ZCARD', key)
  if size > 1 or (provisional and size > 0) then
    if redis.call('ZCOUNT', key, '(' .. (now - DAY), now + LATE) < size then
      -- Members from the future count as seen now, lest they stay for ever.
      for _, later in ipairs(redis.call('ZRANGEBYSCORE', key, '(' .. (now + LATE), '+inf')) do
        redis.call('ZADD', key, now, later)
      end
      redis.call('ZREMRANGEBYSCORE', key, '-inf', now - DAY)
      size = redis.call('ZCARD', key)
    end
    if size > most then redis.call('ZREMRANGEBYRANK', key, 0, size - most - 1); size = most end
  end
  local score, added = now, 0
  if provisional then
    score = size > 0 and tonumber(redis.call('ZSCORE', key, member) or nil)
    if not score and size < most then
      score, added, size = now - 0.5, 1, size + 1
      redis.call('ZADD', key, score, member)
    end
  end
  local minute, ten, hour = 1, 1, 1
  if size > 1 then hour = count(key, 3600000, score) end
  if hour > 1 then ten = count(key, 600000, score) end
  if ten > 1 then minute = count(key, 60000, score) end
  redis.call('PEXPIRE', key, size == 1 and lifetime or DAY)
  local counts = ((size - 1) * ${COUNT_STEPS} + hour - 1) * ${COUNT_STEPS} + ten - 1
  out[i + 1] = (counts * ${COUNT_STEPS} + minute - 1) * 2 + added
end
return out
`,
};

/**
 * KEYS: one per observation that added a member, of one or several attempts. ARGV: the score of these members; all
 * members in one text.
 */
export const TAKE_BACK: Script = {
  name: 'take_back',
  lua: `
local added = tonumber(ARGV[1])
for i, key in ipairs(KEYS) do
  local last = i * ${MEMBER_CHARACTERS}
  local member = string.sub(ARGV[2], last - ${MEMBER_CHARACTERS - 1}, last)
  local score = redis.call('ZSCORE', key, member)
  if score and tonumber(score) == added then redis.call('ZREM', key, member) end
end
return 1
`,
};

/**
 * Restores members that the server lost, unless they were seen again later. KEYS: one per observation.
 * ARGV: the time of the observation; the most members per key; then a member for each key.
 */
export const REFILL: Script = {
  name: 'refill',
  lua: `
local at, most = tonumber(ARGV[1]), tonumber(ARGV[2])
for i, key in ipairs(KEYS) do
  redis.call('ZADD', key, 'GT', at, ARGV[2 + i])
  local size = redis.call('ZCARD', key)
  if size > most then redis.call('ZREMRANGEBYRANK', key, 0, size - most - 1) end
  redis.call('PEXPIRE', key, 86400000)
end
return 1
`,
};

/**
 * Acquires a place in a sliding minute, in slices of half a second as the limiter in memory does. KEYS: a hash with the
 * total (t), the slice that was written last (s) and the count of each slice: at most 123 fields.
 * ARGV: the time in ms, empty for this server's clock; the limit.
 * Returns whether a place was acquired, how many remain, and the milliseconds until one is free.
 */
export const TAKE_MINUTE: Script = {
  name: 'take_minute',
  lua: `
local key, now, limit = KEYS[1], tonumber(ARGV[1]), tonumber(ARGV[2])
if not now then
  local time = redis.call('TIME')
  now = time[1] * 1000 + math.floor(time[2] / 1000)
end
local SLICE_MS, SLICES = 500, 121
local slice = math.floor(now / SLICE_MS)
local kept = redis.call('HMGET', key, 's', 't')
local last, total = tonumber(kept[1] or slice), tonumber(kept[2] or 0)
local steps = slice - last
if math.abs(steps) >= SLICES then
  redis.call('DEL', key)
  last, total = slice, 0
elseif steps > 0 then
  local ring = {}
  for step = 1, steps do ring[step] = (last + step) % SLICES end
  for _, taken in ipairs(redis.call('HMGET', key, unpack(ring))) do total = total - (tonumber(taken or 0)) end
  redis.call('HDEL', key, unpack(ring))
  last = slice
end
if total >= limit then
  local taken, fields = {}, redis.call('HGETALL', key)
  for i = 1, #fields, 2 do taken[fields[i]] = tonumber(fields[i + 1]) end
  if steps > 0 and steps < SLICES then redis.call('HSET', key, 's', last, 't', total) end
  local left = total
  for s = last - SLICES + 1, last do
    left = left - (taken[tostring(s % SLICES)] or 0)
    if left < limit then return {0, 0, math.ceil((s + SLICES) * SLICE_MS - now)} end
  end
  return {0, 0, 60000}
end
redis.call('HINCRBY', key, last % SLICES, 1)
redis.call('HSET', key, 's', last, 't', total + 1)
redis.call('PEXPIRE', key, 61000)
return {1, limit - total - 1, 0}
`,
};

/**
 * Acquires a place among the failures of a key. KEYS: a list of times, oldest first. ARGV: the time in ms, empty for
 * this server's clock; the limit, at most 100; the window in ms. Returns one item: 0, or the milliseconds until a place
 * is free.
 */
export const TAKE_FAILURE: Script = {
  name: 'take_failure',
  lua: `
local key, now, limit, window = KEYS[1], tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
if not now then
  local time = redis.call('TIME')
  now = time[1] * 1000 + math.floor(time[2] / 1000)
end
local times, kept = redis.call('LRANGE', key, 0, -1), {}
for _, text in ipairs(times) do
  local at = tonumber(text)
  if at > now - window and at <= now then kept[#kept + 1] = text end
end
if #kept >= limit then return {tonumber(kept[1]) + window - now} end
if #kept < #times then
  redis.call('DEL', key)
  for _, text in ipairs(kept) do redis.call('RPUSH', key, text) end
end
redis.call('RPUSH', key, string.format('%.0f', now))
redis.call('PEXPIRE', key, window)
return {0}
`,
};

/** Removes the latest failure of a key. */
export const GIVE_BACK: Script = { name: 'give_back', lua: `redis.call('RPOP', KEYS[1]) return 1` };

/** Removes all failures of a key. */
export const FORGET: Script = { name: 'forget', lua: `redis.call('DEL', KEYS[1]) return 1` };

/** Stores the time when something was seen last. KEYS: one. ARGV: the time in ms; the lifetime of the key in ms. */
export const NOTE_SIGHTING: Script = {
  name: 'note_sighting',
  lua: `redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2]) return {1}`,
};

/** Returns the time of the last sighting. The list is empty without a sighting. */
export const FIND_SIGHTING: Script = {
  name: 'find_sighting',
  lua: `return {tonumber(redis.call('GET', KEYS[1]) or nil)}`,
};
