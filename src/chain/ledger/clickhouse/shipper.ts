/** Ships what an indexer writes, as soon as there is some; what the chain drops is replaced. */
import { randomUUID } from "node:crypto";
import { NetworkError, SolxError, sleep } from "../../../base/index.ts";
import type { ChainLedgerWriter } from "../store/chain-writer.ts";
import { firstOpenSlot } from "../store/exchange.ts";
import { SLOT_END } from "../store/schema.ts";
import type { StoreServer } from "./server.ts";
import { forkOf, ledgerToShip } from "./shipping.ts";
import { divideAt, type SlotRange } from "./slots.ts";
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
  | { readonly kind: "recovered"; readonly node: string; readonly seconds: number }
  | { readonly kind: "note"; readonly text: string };

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
  // Whoever indexes the part sends the same rows.
  if (part)
    return async (ledger, isLast) => {
      const range = { ...part, isComplete: false, writer: `part-${part.from}-${part.end}` };
      if (isLast) await persist(() => store.ship(ledgerToShip(ledger), range));
    };
  let shipTip: ShipTip | undefined;
  let refreshedAt = Number.NEGATIVE_INFINITY;
  return async (ledger, isLast) => {
    if (ledger.db.prepare("SELECT 1 FROM blocks LIMIT 1").get() === undefined && !shipTip) return;
    shipTip ??= await openTip(store, ledger, persist);
    const isShipped = await shipTip(ledger, isLast);
    if (!isLast && (!isShipped || performance.now() - refreshedAt < STATISTICS_MS)) return;
    await persist(() => store.refreshStatistics(isLast));
    refreshedAt = performance.now();
  };
}

/** Ships what is new. Returns whether anything is, even if it waits for more. */
type ShipTip = (ledger: ChainLedgerWriter, isLast: boolean) => Promise<boolean>;

/** Creates what ships a ledger to its tip. What may be dropped is shipped too, apart from what is final. */
async function openTip(store: StoreWriter, opened: ChainLedgerWriter, persist: Persist): Promise<ShipTip> {
  const writer = opened.meta("writer") ?? randomUUID();
  opened.write({ meta: { writer } });
  let stored = await persist(() => store.resume(ledgerToShip(opened), writer));
  /** The ends of ranges that are not final. */
  let ends = stored ? [stored.end] : [];
  let shippedAt = Number.NEGATIVE_INFINITY;
  /** Returns where the ledger continues, and from which slot on it may drop blocks. */
  const readState = (ledger: ChainLedgerWriter) => {
    const fork = forkOf(ledger, writer);
    const isReplaced = stored !== undefined && stored.fork !== fork;
    const first = Number(ledger.db.prepare("SELECT min(slot) AS slot FROM blocks").get()?.slot);
    const tip = Math.min(Number(ledger.meta("next")), SLOT_END);
    const from = (isReplaced ? stored?.final : stored?.end) ?? first;
    return { fork, isReplaced, from, tip, open: Math.min(firstOpenSlot(ledger), tip) };
  };
  return async (ledger, isLast) => {
    const { fork, isReplaced, from, tip, open } = readState(ledger);
    if (isReplaced) ends = [];
    const finalOf = (end: number) => Math.max(stored?.final ?? from, ...[...ends, end].filter((each) => each <= open));
    const isBehind = tip - from >= SLOTS_AT_ONCE;
    const ranges = divideAt({ from, end: tip }, open);
    // An index begins with what is final, and has no use for the rest while it catches up.
    if (!stored && open <= from) return false;
    if (isBehind && !isLast && open > from) ranges.length = 1;
    if (stored && ranges.length === 0 && (isReplaced || finalOf(from) > stored.final)) ranges.push({ from, end: from });
    if (ranges.length === 0) return false;
    if (!isLast && !isReplaced && !isBehind && performance.now() - shippedAt < SHIP_MS) return true;
    for (const range of ranges) {
      const [final, isComplete] = [finalOf(range.end), true];
      await persist(() => store.ship(ledgerToShip(ledger), { ...range, final, isComplete, writer }));
      stored = { end: range.end, final, fork };
      ends = [...ends, range.end].filter((end) => end > final);
      shippedAt = performance.now();
    }
    return true;
  };
}
