/** A ledger that continues to grow: new blocks arrive while it is queried. */
import { setImmediate as nextIteration, setTimeout as sleep } from "node:timers/promises";
import { monotonicMs, throwIfAborted } from "../../../base/index.ts";
import type { BlockSource, SourceBlock } from "../source/source.ts";
import { openLedgerCopy } from "./ledger-copy.ts";
import type { Ledger } from "./store.ts";
import { MAX_BLOCKING_MS } from "./writer.ts";

/** Options for opening a live ledger. */
export interface LiveLedgerOptions {
  /** The ledger to start from; it is not modified. */
  readonly ledger: Ledger;
  /** The source of its blocks. */
  readonly source: BlockSource;
  readonly signal?: AbortSignal | undefined;
}

/** Options for adding blocks at an interval. */
export interface FollowOptions {
  /** Milliseconds between blocks. */
  readonly interval: number;
  readonly signal?: AbortSignal | undefined;
  readonly onBlock?: ((block: SourceBlock) => void) | undefined;
}

/** A growing ledger. The end of its clock moves with each block; the shift is constant. */
export interface LiveLedger extends Ledger {
  /**
   * Adds the next block. Returns false when the source has no more.
   * @throws InterruptedError when the signal fires
   */
  advance(): Promise<boolean>;
  /** Adds a block per interval until the signal fires or the source ends. Does not keep the process alive. */
  follow(options: FollowOptions): Promise<void>;
}

/** Opens a copy of a ledger that continues with the blocks of its source. */
export async function openLiveLedger({ ledger, source, signal }: LiveLedgerOptions): Promise<LiveLedger> {
  const copy = await openLedgerCopy(ledger);
  const last = Number(copy.db.prepare("SELECT MAX(slot) AS slot FROM blocks").get()?.slot);
  const blocks = blocksAfter(source, last, signal);
  const ingestNextBlock = async () => {
    const { value: block } = await blocks.next();
    if (!block || !copy.db.isOpen) return undefined;
    copy.append(block);
    return block;
  };
  // Blocks are added one after another, also when several callers request one at the same time.
  let lastStep: Promise<SourceBlock | undefined> = Promise.resolve(undefined);
  const next = () => {
    lastStep = lastStep.then(ingestNextBlock);
    return lastStep;
  };
  return {
    ...copy,
    advance: async () => (await next()) !== undefined,
    async follow({ interval, signal: stop = new AbortController().signal, onBlock }) {
      // By the clock: the time that blocks take delays no later ones.
      for (let due = monotonicMs() + interval; !stop.aborted; due += interval) {
        const wait = Math.max(0, due - monotonicMs());
        await sleep(wait, undefined, { signal: stop, ref: false }).catch(() => undefined);
        const block = stop.aborted ? undefined : await next();
        if (!block) return;
        onBlock?.(block);
      }
    },
  };
}

/** Yields the blocks of a source after a slot. */
async function* blocksAfter(
  source: BlockSource,
  slot: number,
  signal: AbortSignal | undefined,
): AsyncGenerator<SourceBlock, undefined> {
  let lastPause = performance.now();
  for await (const block of source.blocks()) {
    throwIfAborted(signal);
    if (block.slot > slot) yield block;
    if (performance.now() - lastPause < MAX_BLOCKING_MS) continue;
    await nextIteration();
    lastPause = performance.now();
  }
  return undefined;
}
