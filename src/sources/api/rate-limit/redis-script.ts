/**
 * The step of a store as a script that Redis runs atomically, by its own clock. The rules are those of allocate.ts,
 * and the data is that of sqlite-store.ts: permits with the time at which they end, and the clients that wait. The script
 * also counts the machines, reserves the shares of those that are cut off, and recognises that the server lost data: a
 * machine remembers more steps than the server, or another epoch. The names of the keys and of the stored fields are older
 * than those of the code, because machines with other versions use them at the same time.
 */

/** The keys of an account; the braces place them on one server of a cluster. */
export const redisKeys = (account: string, day: string, hour: number): string[] => [
  ...["slots", "interactive", "waiters", "pause", `units:${day}`, "machines", "data", "present"].map(
    (name) => `solx:{${account}}:${name}`,
  ),
  usersKey(account, hour),
];

/** The key with what each user of an account used in an hour since the epoch. */
export const usersKey = (account: string, hour: number): string => `solx:{${account}}:users:${hour}`;

/** Hours for which it is known what each user used. */
export const USER_HOURS = 24;

/** Returns what each user used, by the keys of some hours: user, requests and units, one after the other. */
export const USERS_SCRIPT = `
local rows = {}
for _, key in ipairs(KEYS) do
  for _, value in ipairs(redis.call('HGETALL', key)) do table.insert(rows, value) end
end
return rows
`;

/** The limit that stands for none, because JSON has no infinity. */
export const UNLIMITED = 1e15;

/** Takes a step request and returns a step result, both as JSON. */
export const SCRIPT = `
local permits, interactives, waiters, pausing, spent, machines, data, present, users = unpack(KEYS)
local step = cjson.decode(ARGV[1])
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local from = now - step.window
local retention = math.max(step.window, step.retention)

local function number(value) return string.format('%.0f', value) end
local function set_end(id, stop)
  redis.call('ZADD', permits, 'XX', number(stop), id)
  redis.call('ZADD', interactives, 'XX', number(stop), id)
end
for _, id in ipairs(redis.call('ZRANGEBYSCORE', permits, '(' .. number(now + step.grace), '+inf')) do set_end(id, now + step.grace) end
for _, released in ipairs(step.released) do
  set_end(released[1], now - released[2])
end
for _, key in ipairs({ permits, interactives }) do redis.call('ZREMRANGEBYSCORE', key, '-inf', number(now - retention)) end

local pause = math.max(0, redis.call('PTTL', pausing))
if step.pause > pause then
  pause = math.ceil(step.pause)
  redis.call('SET', pausing, '1', 'PX', number(pause))
end
local limit, machine, known_machines = step.requests, step.machine, 0
if machine then
  redis.call('ZADD', machines, number(now), machine.id)
  if machine.leaves then redis.call('ZREM', present, machine.id) else redis.call('ZADD', present, number(now), machine.id) end
  for _, key in ipairs({ machines, present }) do
    redis.call('ZREMRANGEBYSCORE', key, '-inf', number(now - step.machine_memory))
    redis.call('PEXPIRE', key, number(step.machine_memory))
  end
  known_machines = redis.call('ZCARD', machines)
  local absent = redis.call('ZCOUNT', present, '-inf', number(now - step.absence))
  if absent > 0 and limit < ${UNLIMITED} then limit = math.max(1, math.floor(limit * (known_machines - absent) / known_machines)) end
end
local before = tonumber(redis.call('GET', spent) or '0')
local units = math.max(0, before + step.units)

local function count(key) return redis.call('ZCOUNT', key, '(' .. number(from), '+inf') end
local used, seen = count(permits), count(interactives)
local mine, others, max_served = {}, { i = {}, b = {} }, 0
local rows = redis.call('HGETALL', waiters)
local function waits(place) return place.wants > 0 and place.due > now - step.overdue and place.due <= now + 1000 end
for at = 1, #rows, 2 do
  local owner, kind = string.match(rows[at], '^(%d+)(%a)$')
  local place = cjson.decode(rows[at + 1])
  place.owner = owner
  max_served = math.max(max_served, place.served)
  if owner == step.owner then mine[kind] = place
  elseif place.due < now - retention then redis.call('HDEL', waiters, rows[at])
  elseif waits(place) then
    table.insert(others[kind], place)
  end
end
local function round(served) return math.floor(served / step.permits_per_step) end
local function queue_position(kind, requested)
  local place, there = mine[kind], others[kind]
  local contested = #there > 0
  local served = place and place.served or (contested and 0 or max_served)
  if contested and not (place and waits(place)) then
    local min_round = math.huge
    for _, other in ipairs(there) do min_round = math.min(min_round, round(other.served)) end
    served = math.max(served, min_round * step.permits_per_step)
  end
  local since, ahead = place and place.since or now, 0
  for _, other in ipairs(there) do
    local earlier = other.since < since or (other.since == since and other.owner < step.owner)
    local rounds = round(served) + (earlier and 1 or 0)
    ahead = ahead + math.max(0, math.min(other.wants, rounds * step.permits_per_step - other.served))
  end
  local allowed = contested and math.min(requested, (round(served) + 1) * step.permits_per_step - served) or requested
  return { served = served, since = since, ahead = ahead, allowed = allowed, contested = contested }
end
local function clamp(available, requested) return math.max(0, math.min(available, requested)) end

local interactive, background = queue_position('i', #step.interactive), queue_position('b', #step.background)
local others_interactive = 0
for _, other in ipairs(others.i) do others_interactive = others_interactive + other.wants end
local wantI, wantB, gotI, gotB, missing = interactive.allowed, background.allowed, 0, 0, 0
if pause == 0 then
  local n, aheadI = limit, interactive.ahead
  gotI = clamp(n - used - aheadI, wantI)
  local used2, seen2 = used + gotI, seen + gotI
  local min = math.min(math.max(1, math.floor(n * 0.01)), math.floor(n * 0.03))
  local max = math.max(min, math.floor(n * 0.2))
  local reserve = math.min(math.max(2 * seen2, min), max)
  local cap = n - math.max(0, reserve - seen2)
  local aheadB = others_interactive + background.ahead + wantI - gotI
  gotB = clamp(cap - used2 - aheadB, wantB)
  if gotI < wantI then missing = used2 + aheadI + 1 - n
  elseif gotB < wantB then missing = used2 + gotB + aheadB + 1 - cap end
end
local function affordable(requested, granted)
  for at = 1, granted do
    local cost = requested[at][2]
    if cost > 0 and step.units_per_day >= 0 and units + cost > step.units_per_day then return at - 1 end
    units = units + cost
  end
  return granted
end
gotI = affordable(step.interactive, gotI)
gotB = affordable(step.background, gotB)
if units ~= before then redis.call('SET', spent, number(units), 'PX', 172800000) end
if step.user and (gotI + gotB > 0 or units ~= before) then
  redis.call('HINCRBY', users, 'r' .. step.user, gotI + gotB)
  redis.call('HINCRBY', users, 'u' .. step.user, number(units - before))
  redis.call('PEXPIRE', users, ${(USER_HOURS + 1) * 3_600_000})
end
if step.requests < ${UNLIMITED} then
  for at = 1, gotI do
    redis.call('ZADD', permits, number(now + step.grace), step.interactive[at][1])
    redis.call('ZADD', interactives, number(now + step.grace), step.interactive[at][1])
  end
  for at = 1, gotB do redis.call('ZADD', permits, number(now + step.grace), step.background[at][1]) end
end

local wait = pause
if missing > 0 then
  local stop = redis.call('ZRANGEBYSCORE', permits, '(' .. number(from), '+inf', 'WITHSCORES', 'LIMIT', missing - 1, 1)
  wait = stop[2] and tonumber(stop[2]) - from or step.window
end
local poll_after = math.min(wait, step.poll_interval)
local function update_queue(kind, place, requested, got)
  local field = step.owner .. kind
  if requested > got or (mine[kind] and place.contested) then
    local row = { served = place.served + got, since = place.since, wants = requested - got, due = now + poll_after }
    redis.call('HSET', waiters, field, cjson.encode(row))
  elseif mine[kind] then redis.call('HDEL', waiters, field) end
end
update_queue('i', interactive, #step.interactive, gotI)
update_queue('b', background, #step.background, gotB)
for _, key in ipairs({ permits, interactives, waiters }) do redis.call('PEXPIRE', key, number(retention + 2 * step.grace)) end

local server = nil
if machine then
  local known = redis.call('HMGET', data, 'epoch', 'steps', 'returned', 'expected')
  local epoch, steps = tonumber(known[1]), tonumber(known[2] or '0')
  local returned, expected = math.min(now, tonumber(known[3] or '0')), tonumber(known[4] or '0')
  local is_lost = machine.epoch and (machine.epoch ~= epoch or machine.steps > steps)
  if is_lost or machine.has_local_permits then
    expected = now - returned < step.settling and math.max(expected, machine.machines) or machine.machines
    returned = now
  end
  epoch, steps = epoch or now, steps + 1
  redis.call('HSET', data, 'epoch', number(epoch), 'steps', number(steps), 'returned', number(returned), 'expected', number(expected))
  redis.call('PEXPIRE', data, number(2 * step.machine_memory))
  local young, rank = now - returned < step.settling, 0
  for _, id in ipairs(redis.call('ZRANGE', machines, 0, -1)) do if id < machine.id then rank = rank + 1 end end
  local count = young and math.max(known_machines, expected) or known_machines
  server = { isReached = true, epoch = epoch, steps = steps, machines = count, isYoung = young, rank = rank, time = now }
end
return cjson.encode({
  server = server, interactive = gotI, background = gotB, wait = wait, pollAfter = poll_after,
  remaining = math.max(0, limit - used - gotI - gotB), units = units,
})
`;
