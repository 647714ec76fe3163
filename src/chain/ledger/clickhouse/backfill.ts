/**
 * Divides a range of slots between the programs that index it at the same time. Each takes the next part that nobody has
 * taken. Two that take the same part by chance store the same rows, of which the server keeps one.
 */
import { randomUUID } from "node:crypto";
import { sleep } from "../../../base/index.ts";
import type { StoreServer } from "./server.ts";
import type { SlotRange } from "./shipping.ts";

/** Slots of a part. */
const PART_SLOTS = 1000;
/** Seconds after which a part is free again, unless its lease is renewed. */
const LEASE_SECONDS = 60;
/** Milliseconds to wait for the parts of others. */
const WAIT_MS = 2000;

/** Returns the parts of a range; they are the same for whoever divides it. */
function divideRange({ from, end }: SlotRange): readonly SlotRange[] {
  const parts: SlotRange[] = [];
  for (let start = from; start < end; start += PART_SLOTS)
    parts.push({ from: start, end: Math.min(start + PART_SLOTS, end) });
  return parts;
}

/** Yields the parts of a range that this program is to index, until all of them are stored. */
export async function* leaseParts(
  server: StoreServer,
  range: SlotRange,
  signal: AbortSignal,
): AsyncGenerator<SlotRange> {
  const worker = randomUUID();
  const parts = divideRange(range);
  const ask = async (sql: string) => (await server.ask({ sql, texts: {} })).data;
  const lease = ({ from, end }: SlotRange) =>
    server.run(`INSERT INTO leases (from, end, worker) VALUES (${from}, ${end}, '${worker}')`);
  for (;;) {
    const stored = await ask("SELECT DISTINCT from, end FROM ranges WHERE is_done");
    const done = new Set(stored.map(([from, end]) => `${from}-${end}`));
    const open = parts.filter(({ from, end }) => !done.has(`${from}-${end}`));
    if (open.length === 0) return;
    // The first to take a part has it, as long as it renews the lease.
    const leased = await ask(`SELECT from, argMin(worker, (first, worker)) FROM (
      SELECT from, worker, min(at) AS first FROM leases GROUP BY from, worker
      HAVING max(at) > now64(3) - ${LEASE_SECONDS}) GROUP BY from`);
    const owners = new Map(leased.map(([from, owner]) => [Number(from), owner]));
    const part = open.find(({ from }) => owners.get(from) === worker) ?? open.find(({ from }) => !owners.has(from));
    if (!part) {
      await sleep(WAIT_MS, signal);
      continue;
    }
    await lease(part);
    if (owners.get(part.from) !== worker) continue;
    const renewal = setInterval(() => void lease(part).catch(() => {}), (LEASE_SECONDS * 1000) / 3);
    try {
      yield part;
    } finally {
      clearInterval(renewal);
    }
  }
}
