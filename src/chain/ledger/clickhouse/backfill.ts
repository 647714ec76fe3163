/**
 * Divides a range of slots between the programs that index it at the same time. Each takes the next part that nobody has
 * taken. Two that take the same part by chance store the same rows, of which the server keeps one.
 */
import { randomUUID } from "node:crypto";
import { pluralize, sleep } from "../../../base/index.ts";
import type { StoreServer } from "./server.ts";
import { createPersist, type ShipperOptions } from "./shipper.ts";
import type { SlotRange } from "./slots.ts";

/** How a range is divided. */
export interface Division {
  /** Slots of a part. */
  readonly slots: number;
  /** Seconds after which a part is free again, unless its lease is renewed. */
  readonly leaseSeconds: number;
}

/** How parts are leased. */
export interface LeaseOptions extends Pick<ShipperOptions, "signal" | "onEvent"> {
  /** Parts of 1000 slots, and a minute, by default. */
  readonly division?: Division | undefined;
}

const DIVISION: Division = { slots: 1000, leaseSeconds: 60 };
/** Returns the parts of a range; they are the same for whoever divides it. */
function divideRange({ from, end }: SlotRange, slots: number): readonly SlotRange[] {
  const parts: SlotRange[] = [];
  for (let start = from; start < end; start += slots) parts.push({ from: start, end: Math.min(start + slots, end) });
  return parts;
}

const waitingText = (parts: number, seconds: number): string =>
  `Other programs have the last ${pluralize(parts, "part")}. Waiting until they are stored; those of a program that was killed are free after ${seconds} seconds.`;

/** Yields the parts of a range that this program is to index, until all of them are stored. */
export async function* leaseParts(
  server: StoreServer,
  range: SlotRange,
  { signal, onEvent, division = DIVISION }: LeaseOptions,
): AsyncGenerator<SlotRange> {
  const { slots, leaseSeconds } = division;
  const worker = randomUUID();
  const persist = createPersist(server, { signal, onEvent });
  const parts = divideRange(range, slots);
  const ask = (sql: string) => persist(async () => (await server.ask({ sql, texts: {} })).data);
  const lease = ({ from, end }: SlotRange) =>
    server.run(`INSERT INTO leases (from, end, worker) VALUES (${from}, ${end}, '${worker}')`);
  let isWaiting = false;
  for (;;) {
    const stored = await ask("SELECT DISTINCT from, end FROM ranges WHERE is_done");
    const done = new Set(stored.map(([from, end]) => `${from}-${end}`));
    const open = parts.filter(({ from, end }) => !done.has(`${from}-${end}`));
    if (open.length === 0) return;
    // The first to take a part has it, as long as it renews the lease.
    const leased = await ask(`SELECT from, argMin(worker, (first, worker)) FROM (
      SELECT from, worker, min(leases.first) AS first FROM leases GROUP BY from, worker
      HAVING max(at) > now64(3) - ${leaseSeconds}) GROUP BY from`);
    const owners = new Map(leased.map(([from, owner]) => [Number(from), owner]));
    const part = open.find(({ from }) => owners.get(from) === worker) ?? open.find(({ from }) => !owners.has(from));
    if (!part) {
      if (!isWaiting) onEvent({ kind: "note", text: waitingText(open.length, leaseSeconds) });
      isWaiting = true;
      await sleep((leaseSeconds * 1000) / 30, signal);
      continue;
    }
    isWaiting = false;
    await persist(() => lease(part));
    if (owners.get(part.from) !== worker) continue;
    const renewal = setInterval(() => void lease(part).catch(() => {}), (leaseSeconds * 1000) / 3);
    try {
      yield part;
    } finally {
      clearInterval(renewal);
    }
  }
}
