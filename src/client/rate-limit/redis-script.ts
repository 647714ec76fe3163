/**
 * The step of a store as a script that Redis runs without anything in between, by its own clock. The rule is that of
 * allot.ts and queue.ts, and what is kept is that of sqlite.ts: turns with the moment of their answer, and those who wait.
 */

/** Keys of an account; the braces keep them on one server of a cluster. */
export const redisKeys = (account: string, day: string): string[] =>
  ["slots", "interactive", "waiters", "pause", `units:${day}`].map((name) => `solx:{${account}}:${name}`);

/** Requests from which on none are counted: JSON knows no infinity. */
export const UNLIMITED = 1e15;

/** Its argument is an ask as JSON, its answer a grant as JSON. Numbers of ids are texts: Lua would round them. */
export const SCRIPT = `
local slots, interactives, waiters, pausing, spent = KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5]
local ask = cjson.decode(ARGV[1])
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local from = now - ask.window
local keep = math.max(ask.window, ask.keep)

local function number(value) return string.format('%.0f', value) end
local function ends(id, stop)
  redis.call('ZADD', slots, 'XX', number(stop), id)
  redis.call('ZADD', interactives, 'XX', number(stop), id)
end
for _, id in ipairs(redis.call('ZRANGEBYSCORE', slots, '(' .. number(now + ask.grace), '+inf')) do ends(id, now + ask.grace) end
for _, done in ipairs(ask.done) do
  ends(done[1], now - done[2])
end
for _, key in ipairs({ slots, interactives }) do redis.call('ZREMRANGEBYSCORE', key, '-inf', number(now - keep)) end

local pause = math.max(0, redis.call('PTTL', pausing))
if ask.pause > pause then
  pause = math.ceil(ask.pause)
  redis.call('SET', pausing, '1', 'PX', number(pause))
end
local before = tonumber(redis.call('GET', spent) or '0')
local units = math.max(0, before + ask.units)

local function count(key) return redis.call('ZCOUNT', key, '(' .. number(from), '+inf') end
local used, seen = count(slots), count(interactives)
local mine, others, most = {}, { i = {}, b = {} }, 0
local rows = redis.call('HGETALL', waiters)
local function waits(place) return place.wants > 0 and place.due > now - ask.late and place.due <= now + 1000 end
for at = 1, #rows, 2 do
  local owner, kind = string.match(rows[at], '^(%d+)(%a)$')
  local place = cjson.decode(rows[at + 1])
  place.owner = owner
  most = math.max(most, place.served)
  if owner == ask.owner then mine[kind] = place
  elseif place.due < now - keep then redis.call('HDEL', waiters, rows[at])
  elseif waits(place) then
    table.insert(others[kind], place)
  end
end
local function round(served) return math.floor(served / ask.chunk) end
local function standing(kind, wanted)
  local place, there = mine[kind], others[kind]
  local contested = #there > 0
  local served = place and place.served or (contested and 0 or most)
  if contested and not (place and waits(place)) then
    local least = math.huge
    for _, other in ipairs(there) do least = math.min(least, round(other.served)) end
    served = math.max(served, least * ask.chunk)
  end
  local since, ahead = place and place.since or now, 0
  for _, other in ipairs(there) do
    local earlier = other.since < since or (other.since == since and other.owner < ask.owner)
    local rounds = round(served) + (earlier and 1 or 0)
    ahead = ahead + math.max(0, math.min(other.wants, rounds * ask.chunk - other.served))
  end
  local open = contested and math.min(wanted, (round(served) + 1) * ask.chunk - served) or wanted
  return { served = served, since = since, ahead = ahead, open = open, contested = contested }
end
local function clamp(free, wanted) return math.max(0, math.min(free, wanted)) end

local person, bulk = standing('i', #ask.interactive), standing('b', #ask.background)
local persons = 0
for _, other in ipairs(others.i) do persons = persons + other.wants end
local wantI, wantB, gotI, gotB, missing = person.open, bulk.open, 0, 0, 0
if pause == 0 then
  local n, aheadI = ask.requests, person.ahead
  gotI = clamp(n - used - aheadI, wantI)
  local used2, seen2 = used + gotI, seen + gotI
  local least = math.min(math.max(1, math.floor(n * 0.01)), math.floor(n * 0.03))
  local most = math.max(least, math.floor(n * 0.2))
  local reserve = math.min(math.max(2 * seen2, least), most)
  local cap = n - math.max(0, reserve - seen2)
  local aheadB = persons + bulk.ahead + wantI - gotI
  gotB = clamp(cap - used2 - aheadB, wantB)
  if gotI < wantI then missing = used2 + aheadI + 1 - n
  elseif gotB < wantB then missing = used2 + gotB + aheadB + 1 - cap end
end
local function payable(wanted, granted)
  for at = 1, granted do
    local cost = wanted[at][2]
    if cost > 0 and ask.most >= 0 and units + cost > ask.most then return at - 1 end
    units = units + cost
  end
  return granted
end
gotI = payable(ask.interactive, gotI)
gotB = payable(ask.background, gotB)
if units ~= before then redis.call('SET', spent, number(units), 'PX', 172800000) end
if ask.requests < ${UNLIMITED} then
  for at = 1, gotI do
    redis.call('ZADD', slots, number(now + ask.grace), ask.interactive[at][1])
    redis.call('ZADD', interactives, number(now + ask.grace), ask.interactive[at][1])
  end
  for at = 1, gotB do redis.call('ZADD', slots, number(now + ask.grace), ask.background[at][1]) end
end

local wait = pause
if missing > 0 then
  local stop = redis.call('ZRANGEBYSCORE', slots, '(' .. number(from), '+inf', 'WITHSCORES', 'LIMIT', missing - 1, 1)
  wait = stop[2] and tonumber(stop[2]) - from or ask.window
end
local wake = math.min(wait, ask.heartbeat)
local function keepPlace(kind, place, wanted, got)
  local field = ask.owner .. kind
  if wanted > got or (mine[kind] and place.contested) then
    local row = { served = place.served + got, since = place.since, wants = wanted - got, due = now + wake }
    redis.call('HSET', waiters, field, cjson.encode(row))
  elseif mine[kind] then redis.call('HDEL', waiters, field) end
end
keepPlace('i', person, #ask.interactive, gotI)
keepPlace('b', bulk, #ask.background, gotB)
for _, key in ipairs({ slots, interactives, waiters }) do redis.call('PEXPIRE', key, number(keep + 2 * ask.grace)) end
return cjson.encode({
  interactive = gotI, background = gotB, wait = wait, wake = wake,
  left = math.max(0, ask.requests - used - gotI - gotB), units = units,
})
`;
