/** Ships what an indexer writes: blocks that no longer change, as soon as there are some. */
import { randomUUID } from "node:crypto";
import { NetworkError, SolxError, sleep } from "../../../base/index.ts";
import type { ChainLedgerWriter } from "../store/chain-writer.ts";
import { firstOpenSlot } from "../store/exchange.ts";
import { createLedgerReader } from "../store/reader.ts";
import type { StoreServer } from "./server.ts";
import type { SlotRange } from "./slots.ts";
import type { StoreWriter } from "./writer.ts";

/** Slots that are shipped together while an index catches up, and milliseconds after which less is shipped. */
const [SLOTS_AT_ONCE, SHIP_MS] = [1000, 2000];
/** Milliseconds between two computations of the statistics. */
const STATISTICS_MS = 60_000;
/** Milliseconds before the next attempt, after a server has not answered; the last one is repeated. */
const DELAYS_MS = [500, 1000, 2000, 5000, 10_000];

/** What a shipper reports. */
export type ShippingEvent =
  | { readonly kind: "waiting"; readonly node: string; readonly text: string }
  | { readonly kind: "recovered"; readonly node: string; readonly seconds: number };

/** Options of a shipper. */
export interface ShipperOptions {
  /** The part of the chain that the ledger is about, which is shipped when it ends; else the ledger continues. */
  readonly part?: SlotRange | undefined;
  readonly signal: AbortSignal;
  readonly onEvent: (event: ShippingEvent) => void;
}

/** Called after blocks were written, for the last time with `isLast`. */
export type AfterWrite = (ledger: ChainLedgerWriter, isLast: boolean) => Promise<void>;

/** Whether the server may do later what it has not done now. */
const mayRecover = (error: unknown): boolean =>
  error instanceof NetworkError || (error instanceof SolxError && error.code === "STORE_OVERLOADED");

/** Repeats an action until the server has done it. */
export type Persist = <T>(action: () => Promise<T>) => Promise<T>;

/** Creates what waits for a server that does not answer, and says so. */
export function createPersist(
  { address }: StoreServer,
  { signal, onEvent }: Pick<ShipperOptions, "signal" | "onEvent">,
): Persist {
  const { host } = new URL(address.url);
  return async (action) => {
    let since: number | undefined;
    for (let attempt = 0; ; attempt++) {
      try {
        const result = await action();
        if (since !== undefined)
          onEvent({ kind: "recovered", node: host, seconds: Math.round((performance.now() - since) / 1000) });
        return result;
      } catch (error) {
        if (!mayRecover(error) || signal.aborted) throw error;
        if (since === undefined) onEvent({ kind: "waiting", node: host, text: (error as Error).message });
        since ??= performance.now();
        await sleep(DELAYS_MS[attempt] ?? (DELAYS_MS.at(-1) as number), signal);
      }
    }
  };
}

/** Creates what ships the blocks of one ledger. It waits for a server that does not answer. */
export function createShipper(store: StoreWriter, { part, ...options }: ShipperOptions): AfterWrite {
  const persist = createPersist(store.server, options);
  let writer: string | undefined;
  let next: number | undefined;
  let [shippedAt, refreshedAt] = [Number.NEGATIVE_INFINITY, Number.NEGATIVE_INFINITY];
  // Ids that were removed may be of other accounts now: a reader remembers them.
  const openSource = ({ db }: ChainLedgerWriter) => ({
    db,
    reader: createLedgerReader(db, () => ({ end: 0, shift: 0 }), { isChain: true }),
  });
  return async (ledger, isLast) => {
    if (part) {
      // Whoever indexes the part sends the same rows.
      const range = { ...part, isComplete: false, writer: `part-${part.from}-${part.end}` };
      if (isLast) await persist(() => store.ship(openSource(ledger), range));
      return;
    }
    const first = ledger.db.prepare("SELECT MIN(slot) AS slot FROM blocks").get()?.slot;
    if (first == null) return;
    if (writer === undefined) {
      const id = ledger.meta("writer") ?? randomUUID();
      ledger.write({ meta: { writer: id } });
      writer = id;
      next = await persist(() => store.resume(openSource(ledger), id));
    }
    const range = {
      from: next ?? Number(first),
      end: Math.min(Number(ledger.meta("next")), firstOpenSlot(ledger)),
      isComplete: true,
      writer,
    };
    const slots = range.end - range.from;
    if (slots <= 0) return;
    const isDue = isLast || slots >= SLOTS_AT_ONCE || performance.now() - shippedAt >= SHIP_MS;
    if (isDue) {
      await persist(() => store.ship(openSource(ledger), range));
      next = range.end;
      shippedAt = performance.now();
    }
    if (isLast || performance.now() - refreshedAt >= STATISTICS_MS) {
      await persist(() => store.refreshStatistics(isLast));
      refreshedAt = performance.now();
    }
  };
}
