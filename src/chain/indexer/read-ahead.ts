/** Reads blocks ahead of what writes them: across ranges of slots, concurrently, in their order, in bounded memory. */
import type { ChainBlock } from "../solana/index.ts";
import type { BlockReader } from "./block-reader.ts";
import { GivenUpError, UnreadableBlockError } from "./lasting-connection.ts";
import type { GapReason } from "./state/gaps.ts";

/** What was read of a slot: its block, or why that is missing; undefined for the end of a range, which needs none. */
type SlotContent = ChainBlock | GapReason | undefined;

/** The range of slots to read; both inclusive. */
interface ReadAheadOptions {
  readonly from: number;
  readonly to: number;
  /** Requests for blocks at a time. */
  readonly concurrency?: number | undefined;
  /** Slots without a block after which nothing more is read; any number by default. */
  readonly maxSkipped?: number | undefined;
}

const DEFAULT_CONCURRENCY = 16;
/** Slots per request for the slots with blocks. */
const SLOTS_PER_REQUEST = 1000;
/** Blocks, and transactions in them, that are being read or wait to be written: some blocks of mainnet. */
const MAX_BLOCKS_AHEAD = 200;
const MAX_TRANSACTIONS_AHEAD = 8000;
/** Transactions that are expected of a block before the first one was read. */
const EXPECTED_TRANSACTIONS = 2000;

/**
 * Reads the blocks of a range and yields them in order, with their slots. Failures are thrown when it is the turn of
 * their slot. Nothing more is requested once the caller stops.
 */
export async function* readAhead(
  reader: Pick<BlockReader, "block" | "slotsWithBlocks">,
  { from, to, concurrency = DEFAULT_CONCURRENCY, maxSkipped = Number.POSITIVE_INFINITY }: ReadAheadOptions,
): AsyncGenerator<readonly [slot: number, content: SlotContent]> {
  const queue: (readonly [slot: number, content: Promise<SlotContent>])[] = [];
  let [isOver, requests, transactions, expected] = [false, 0, 0, EXPECTED_TRANSACTIONS];
  let change = Promise.withResolvers<void>();
  const wake = () => {
    change.resolve();
    change = Promise.withResolvers();
  };
  const push = (slot: number, content: Promise<SlotContent>) => {
    // An error is thrown when it is the slot's turn.
    content.catch(() => undefined);
    queue.push([slot, content]);
    wake();
  };
  const isFull = () =>
    requests >= concurrency ||
    queue.length >= MAX_BLOCKS_AHEAD ||
    (queue.length > 0 && transactions + (requests + 1) * expected > MAX_TRANSACTIONS_AHEAD);
  const read = async (slot: number): Promise<SlotContent> => {
    requests += 1;
    try {
      const content = await readOrExplain(reader, slot);
      if (typeof content === "object") {
        expected = content.transactions.length;
        transactions += expected;
      }
      return content;
    } finally {
      requests -= 1;
      wake();
    }
  };
  const readRanges = async () => {
    let latest = from - 1;
    for (let first = from; first <= to && !isOver; first += SLOTS_PER_REQUEST) {
      const last = Math.min(first + SLOTS_PER_REQUEST - 1, to);
      for (const slot of await reader.slotsWithBlocks(first, last)) {
        while (isFull() && !isOver) await change.promise;
        if (isOver) return;
        push(slot, read(slot));
        latest = slot;
      }
      push(last, Promise.resolve(undefined));
      if (last - latest >= maxSkipped) return;
    }
  };
  let isComplete = false;
  const complete = () => {
    isComplete = true;
    wake();
  };
  readRanges()
    .catch((error: unknown) => push(to, Promise.reject(error)))
    .finally(complete);
  try {
    for (;;) {
      const [slot, reading] = queue[0] ?? [];
      if (slot !== undefined) {
        const content = await reading;
        queue.shift();
        if (typeof content === "object") transactions -= content.transactions.length;
        wake();
        yield [slot, content];
      } else if (isComplete) return;
      else await change.promise;
    }
  } finally {
    isOver = true;
    wake();
  }
}

async function readOrExplain(reader: Pick<BlockReader, "block">, slot: number): Promise<ChainBlock | GapReason> {
  try {
    return (await reader.block(slot)) ?? "missing";
  } catch (error) {
    if (!(error instanceof GivenUpError)) throw error;
    return error.cause instanceof UnreadableBlockError ? "unreadable" : "unanswered";
  }
}
