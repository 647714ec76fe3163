/**
 * Which instance watches which rules, and what they found, in a Redis server. A rule is an entry of a stream: the entries
 * that are pending at a consumer of its group are the leases of an instance, and those of a consumer that has not been
 * heard of are claimed by others. What an instance stores is refused without the lease, so that an instance that was
 * suspended changes nothing. Everything is one script, which the server runs atomically.
 */
import { randomUUID } from "node:crypto";
import { isArray, type Json, stringifyJson } from "../../base/index.ts";
import type { RedisScript } from "../../sources/api/index.ts";

/** Milliseconds without a sign of life after which the leases of an instance end. */
export const LEASE_MS = 30_000;

export const LEASES_SCRIPT = `
local work, names, counts, last, revision, cursors, outbox, tries = unpack(KEYS)
local step = cjson.decode(ARGV[1])
local me, group = step.me, 'instances'
local call = redis.call
local function holds(id) return #call('XPENDING', work, group, id, id, 1, me) > 0 end
local function release(id, unit)
  if not holds(id) then return end
  call('XACK', work, group, id)
  call('XDEL', work, id)
  call('HSET', names, unit, '')
end
local run = {}
function run.claim()
  if call('EXISTS', work) == 0 then call('DEL', names) end
  redis.pcall('XGROUP', 'CREATE', work, group, '0', 'MKSTREAM')
  local known = {}
  for _, unit in ipairs(step.units) do
    known[unit] = true
    local id = call('HGET', names, unit)
    if not id or id == '' then call('HSET', names, unit, call('XADD', work, '*', 'unit', unit)) end
  end
  -- Reading what is pending is a sign of life, also of an instance without leases.
  call('XREADGROUP', 'GROUP', group, me, 'COUNT', 1, 'STREAMS', work, '0')
  local live = 0
  for _, consumer in ipairs(call('XINFO', 'CONSUMERS', work, group)) do
    local info = {}
    for at = 1, #consumer, 2 do info[consumer[at]] = consumer[at + 1] end
    if info.idle < step.lease then live = live + 1
    elseif info.pending == 0 then call('XGROUP', 'DELCONSUMER', work, group, info.name) end
  end
  local mine = call('XPENDING', work, group, '-', '+', '100000', me)
  local share, lease = math.ceil(#step.units / live), string.format('%d', step.lease)
  local room = share - #mine
  if room > 0 then
    for _, entry in ipairs(call('XPENDING', work, group, 'IDLE', lease, '-', '+', room)) do
      room = room - #call('XCLAIM', work, group, me, lease, entry[1], 'JUSTID')
    end
  end
  if room > 0 then call('XREADGROUP', 'GROUP', group, me, 'COUNT', room, 'STREAMS', work, '>') end
  local held = { math.max(0, #mine - share), tonumber(call('GET', revision) or '0') }
  for _, entry in ipairs(call('XPENDING', work, group, '-', '+', '100000', me)) do
    call('XCLAIM', work, group, me, 0, entry[1], 'JUSTID')
    local unit = call('XRANGE', work, entry[1], entry[1])[1][2][2]
    if known[unit] then table.insert(held, unit); table.insert(held, entry[1]) else release(entry[1], unit) end
  end
  return held
end
function run.release()
  for _, lease in ipairs(step.leases) do release(lease[2], lease[1]) end
  if step.leaves then redis.pcall('XGROUP', 'DELCONSUMER', work, group, me) end
end
function run.write()
  if call('EXISTS', work) == 0 or not holds(step.id) then return -1 end
  if step.write then
    local nonce, first = string.match(call('HGET', cursors, '') or '', '^(%S+) (%d+)$')
    if nonce == step.write then return tonumber(first) end
  end
  local first = tonumber(call('GET', last) or '0') + 1
  for _, delivery in ipairs(step.add or {}) do
    call('XADD', outbox, call('INCR', last) .. '-1', 'delivery', delivery)
  end
  if step.cursor then call('HSET', cursors, step.cursor[1], step.cursor[2]) end
  if step.write then call('HSET', cursors, '', step.write .. ' ' .. first) end
  if step.try then call('HSET', tries, step.try[1], step.try[2]) end
  if step.remove then
    call('XDEL', outbox, step.remove .. '-1')
    call('HDEL', tries, step.remove)
  end
  if step.count then call('HINCRBY', counts, step.count, 1) end
  return first
end
function run.names() return call('HKEYS', names) end
function run.counts() return call('HGETALL', counts) end
function run.tries() return call('HGETALL', tries) end
function run.cursors() return call('HSCAN', cursors, step.at, 'COUNT', 4) end
function run.outbox() return call('XRANGE', outbox, step.at, '+', 'COUNT', 20) end
function run.retry()
  local changed = 0
  for _, id in ipairs(step.ids) do changed = changed + call('HDEL', tries, id) end
  if changed > 0 then call('INCR', revision) end
  return changed
end
return run[step.op]()`;

/** What an instance holds. */
interface Claim {
  /** How many units are above its share. */
  readonly surplus: number;
  /** Changes when deliveries were changed by another command. */
  readonly revision: number;
  /** The leases of units. */
  readonly leases: ReadonlyMap<string, string>;
}

/** Steps of the script for one file of rules. */
export class Leases {
  readonly #me = randomUUID();
  readonly #script: RedisScript;
  readonly #prefix: string;

  /** @param name the name of the rules, the same on every machine */
  constructor(script: RedisScript, name: string) {
    this.#script = script;
    // The braces place all keys on one server of a cluster.
    this.#prefix = `solx:{watch:${name}}:`;
  }

  /** Renews the leases of this instance, and takes those that it lacks. */
  async claim(units: readonly string[]): Promise<Claim> {
    const [surplus, revision, ...held] = await this.#list("claim", { units, lease: LEASE_MS });
    return { surplus: Number(surplus), revision: Number(revision), leases: new Map(pairsOf(held)) };
  }

  /** Gives leases back; an instance that leaves is no longer counted. */
  async release(leases: Iterable<readonly [unit: string, id: string]>, leaves = false): Promise<void> {
    await this.#run("release", "", { leases: [...leases], leaves });
  }

  /** Stores something of a unit. Returns the number of its first delivery; undefined when the lease is lost. */
  async write(unit: string, id: string, step: Readonly<Record<string, Json>>): Promise<number | undefined> {
    const first = Number(await this.#run("write", unit, { id, ...step }));
    return first < 0 ? undefined : first;
  }

  /** Returns the units that were ever watched. */
  async units(): Promise<readonly string[]> {
    return (await this.#list("names")).map(String);
  }

  /** Returns how many deliveries of actions were made or failed: `delivered` or `failed`, a space, and the action. */
  counts = (): Promise<ReadonlyMap<string, string>> => this.#pairs("counts");

  /** Returns the failures of deliveries by their numbers. */
  tries = (unit: string): Promise<ReadonlyMap<string, string>> => this.#pairs("tries", unit);

  /** Makes parked deliveries due again. Returns their number. */
  async retry(unit: string, ids: readonly string[]): Promise<number> {
    return ids.length === 0 ? 0 : Number(await this.#run("retry", unit, { ids }));
  }

  /** Yields the cursors of subjects. */
  async *cursors(unit: string): AsyncGenerator<readonly [subject: string, cursor: string]> {
    let at = "0";
    do {
      const [next, pairs] = await this.#list("cursors", { at }, unit);
      for (const [subject, cursor] of pairsOf(pairs)) if (subject !== "") yield [subject, cursor];
      at = String(next);
    } while (at !== "0");
  }

  /** Yields the deliveries that are still to be made, in order. */
  async *deliveries(unit: string): AsyncGenerator<readonly [id: number, delivery: string]> {
    let at = "-";
    for (;;) {
      const entries = (await this.#list("outbox", { at }, unit)) as [string, string[]][];
      for (const [id, [, delivery = ""]] of entries) yield [Number.parseInt(id, 10), delivery];
      if (entries.length === 0) return;
      at = `(${entries.at(-1)?.[0]}`;
    }
  }

  close = (): void => this.#script.close();

  async #pairs(op: string, unit = ""): Promise<ReadonlyMap<string, string>> {
    return new Map(pairsOf(await this.#list(op, {}, unit)));
  }

  async #list(op: string, step: object = {}, unit = ""): Promise<readonly unknown[]> {
    const reply = await this.#run(op, unit, step);
    return isArray(reply) ? reply : [];
  }

  #run(op: string, unit: string, step: object): Promise<unknown> {
    const keys = ["work", "names", "counts", "last", "revision", "cursors:", "outbox:", "tries:"];
    const own = keys.map((key) => `${this.#prefix}${key}${key.endsWith(":") ? unit : ""}`);
    return this.#script.run(own, stringifyJson({ op, me: this.#me, ...step } as Json));
  }
}

function* pairsOf(list: unknown): Generator<[string, string]> {
  const items = isArray(list as Json) ? (list as readonly unknown[]) : [];
  for (let at = 0; at < items.length; at += 2) yield [String(items[at]), String(items[at + 1])];
}
