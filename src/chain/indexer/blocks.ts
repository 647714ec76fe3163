/** Follows the blocks of a node in the order of the chain: ranges, concurrency, websocket or polling, rollbacks, gaps. */
import { SolxError, sleep, throwIfAborted } from "../../base/index.ts";
import { type ChainBlock, isHistoryPruned } from "../solana/index.ts";
import { type BlockCommitment, type BlockReader, type BlockStream, createBlockReader } from "./block-reader.ts";
import {
  differentChainError,
  GivenUpError,
  type LastingConnection,
  MAX_ROUNDS,
  retryDelay,
} from "./lasting-connection.ts";
import { readAhead } from "./read-ahead.ts";
import { createSlotSignal, type SlotSignalOptions } from "./slot-signal.ts";
import type { Gap } from "./state/gaps.ts";

/** Where to start: a slot, the oldest block that the node has, or the next block. */
export type StartSlot = number | "earliest" | "now";

/** A block by slot and hash. */
export interface BlockPosition {
  readonly slot: number;
  readonly hash: string;
}

/** What happens to the chain. */
export type BlockEvent =
  | { readonly kind: "block"; readonly block: ChainBlock }
  /** The blocks from a slot on are no longer part of the chain. */
  | { readonly kind: "removeFrom"; readonly slot: number }
  /** The node does not have the blocks of these slots; both inclusive. */
  | ({ readonly kind: "gap" } & Gap)
  /** There are no other blocks in these slots; both inclusive. */
  | { readonly kind: "complete"; readonly from: number; readonly to: number }
  /** The latest slot of the node, and the latest one that is final. */
  | { readonly kind: "tip"; readonly slot: number; readonly finalSlot: number }
  /** The latest slot of the node has been older than the last block for some time. */
  | { readonly kind: "lagging"; readonly tip: number; readonly slot: number }
  /** The node is asked for other blocks when there are new ones. At the tip, all were yielded. */
  | { readonly kind: "idle"; readonly isAtTip: boolean };

/** Options of {@link followBlocks}. */
export interface FollowBlocksOptions extends SlotSignalOptions {
  readonly from: Exclude<StartSlot, "now">;
  /** The last slot, inclusive; without one the blocks have no end. */
  readonly to?: number | undefined;
  /** Whether to wait for new blocks; true by default. Otherwise the end is the latest slot at the start. */
  readonly follow?: boolean | undefined;
  /** `finalized` by default; with `confirmed`, blocks that the cluster drops are removed again. */
  readonly commitment?: BlockCommitment | undefined;
  /** The last blocks that the caller has, oldest first: the chain has to continue them. */
  readonly known?: readonly BlockPosition[] | undefined;
  /** Requests for blocks at a time. */
  readonly concurrency?: number | undefined;
  /** Milliseconds before a call that failed is repeated; they double up to 30 seconds. */
  readonly firstDelay?: number | undefined;
  /** Returns why a block is not accepted; all are by default. */
  readonly refusalOf?: ((block: ChainBlock) => Error | undefined) | undefined;
  /** New blocks that need not be asked for, of the same commitment. */
  readonly stream?: BlockStream | undefined;
}

/** Blocks that may be rolled back: a cluster finalizes blocks after 32. */
const MAX_KNOWN = 256;
/** Slots near the end in which a block is looked for. */
export const MAX_SKIPPED = 1000;
/** Slots without a block after which the tip is asked for again, and how many times as many while it is the same. */
const SCANNED_SLOTS = 10_000;
const SCAN_GROWTH = 10;

/**
 * Yields the blocks of a node in the order of the chain.
 * @throws SolxError when the chain does not continue the known blocks, or the node does not have the first block
 * @throws InterruptedError when the signal fires
 */
export async function* followBlocks(node: LastingConnection, options: FollowBlocksOptions): AsyncGenerator<BlockEvent> {
  const { commitment = "finalized", signal, stream } = options;
  const reader = createBlockReader(node, commitment, signal, options.refusalOf, stream);
  const slots = createSlotSignal(commitment === "finalized" ? "rootSubscribe" : "slotSubscribe", options);
  if (stream) stream.notify = slots.notify;
  const follower = new BlockFollower(reader, node, { ...options, commitment });
  try {
    yield* follower.start();
    for (;;) {
      const tip = await reader.latestSlot();
      const finalSlot = commitment === "finalized" ? tip : await reader.latestSlot("finalized");
      yield { kind: "tip", slot: tip, finalSlot };
      const isCurrent = yield* follower.checkTip(tip);
      const isComplete = yield* follower.readUntil(tip);
      if (follower.isDone) yield* follower.proveEnd(tip);
      yield { kind: "idle", isAtTip: isCurrent && isComplete };
      if (follower.isDone) return;
      await slots.wait();
      throwIfAborted(signal);
    }
  } finally {
    slots.close();
  }
}

class BlockFollower {
  readonly #reader: BlockReader;
  readonly #node: LastingConnection;
  readonly #options: FollowBlocksOptions;
  readonly #known: BlockPosition[];
  #next = 0;
  /** Whether the first block may be any one: the oldest of a node has a parent that the node has not. */
  #isOldest = false;
  /** The last slot that is a block or a known gap; before the first one, the slot before the start. */
  #reached = 0;
  /** The slot whose block did not continue the chain, and how often it was read. */
  #doubt = { slot: 0, rounds: 0 };
  #hasReachedTip = false;
  #maxSkipped = SCANNED_SLOTS;
  /** How often the tip was older than the last block, without a break. */
  #lags = 0;

  constructor(reader: BlockReader, node: LastingConnection, options: FollowBlocksOptions) {
    this.#reader = reader;
    this.#node = node;
    this.#options = options;
    this.#known = [...(options.known ?? [])];
  }

  get isDone(): boolean {
    const { to = Number.POSITIVE_INFINITY, follow = true } = this.#options;
    return this.#next > to || (!follow && this.#hasReachedTip);
  }

  async *start(): AsyncGenerator<BlockEvent> {
    const { from, signal } = this.#options;
    const first = await this.#reader.firstSlot();
    throwIfAborted(signal);
    this.#next = from === "earliest" ? first : from;
    this.#reached = this.#next - 1;
    this.#isOldest = from === "earliest";
    if (this.#next >= first) return;
    // Blocks that were deleted since the last run are a gap; blocks that were requested and do not exist an error.
    if (this.#known.length === 0) throw historyError(this.#node.name, this.#next, first);
    yield* this.#skipTo(first);
  }

  /** Continues with the first slot of the node. */
  *#skipTo(first: number): Generator<BlockEvent> {
    yield { kind: "gap", from: this.#next, to: first - 1, reason: "pruned" };
    this.#known.length = 0;
    this.#isOldest = false;
    this.#next = first;
    this.#reached = first - 1;
  }

  /**
   * Returns whether a tip is no older than the last block. One that is belongs to a node that lags, or to another chain.
   * @throws SolxError for another chain
   */
  async *checkTip(tip: number): AsyncGenerator<BlockEvent, boolean> {
    const slot = this.#known.at(-1)?.slot ?? 0;
    this.#lags = tip < slot ? this.#lags + 1 : 0;
    if (this.#lags > 0) await this.#node.checkCluster(this.#options.signal);
    if (this.#lags === MAX_ROUNDS) yield { kind: "lagging", tip, slot };
    return this.#lags === 0;
  }

  /**
   * Proves that no block lacks after the last one of the range, which a list of a node that lags would not show: the
   * next block continues it. What is not proved is a gap.
   */
  async *proveEnd(latest: number): AsyncGenerator<BlockEvent> {
    const { to, firstDelay, signal } = this.#options;
    let tip = latest;
    const end = Math.min(tip, to ?? tip);
    const from = this.#reached + 1;
    for (let round = 0; this.#reached < end; ) {
      const before = this.#reached;
      const parent = await this.#parentAfter(end, tip);
      if (parent !== undefined && parent <= this.#reached) break;
      yield* this.readUntil(end);
      if (this.#reached > before) round = 0;
      else if (round++ < MAX_ROUNDS) await sleep(retryDelay(round, firstDelay), signal);
      else {
        yield { kind: "gap", from: this.#reached + 1, to: end, reason: "unanswered" };
        return;
      }
      tip = await this.#reader.latestSlot();
      if (tip < end && this.#reached < end) {
        // There is no end yet: the tip was wrong, or the node lags now.
        [this.#next, this.#hasReachedTip] = [this.#reached + 1, false];
        return;
      }
    }
    if (from <= end) yield { kind: "complete", from: this.#reached + 1, to: end };
  }

  /** Returns the slot of the block before the first one after a slot; undefined where the node does not show one. */
  async #parentAfter(slot: number, tip: number): Promise<number | undefined> {
    if (tip <= slot) return undefined;
    const [next] = await this.#reader.slotsWithBlocks(slot + 1, Math.min(tip, slot + MAX_SKIPPED));
    if (next === undefined) return undefined;
    return this.#reader.parentSlot(next).catch(ignoreUnavailable);
  }

  /**
   * Yields the blocks up to a slot. Returns false when no next one was found in many slots: the slot may be wrong. Slots
   * after the last block that had none are listed again.
   */
  async *readUntil(tip: number): AsyncGenerator<BlockEvent, boolean> {
    const end = Math.min(tip, this.#options.to ?? tip);
    this.#next = this.#reached + 1;
    while (this.#next <= end) {
      const isOver = yield* this.#readRange(end);
      if (isOver && this.#next <= end) {
        this.#maxSkipped *= SCAN_GROWTH;
        return false;
      }
    }
    // Notices a rollback that no new block has revealed yet.
    if (this.#options.commitment === "confirmed" && this.#known.length > 1) yield* this.#rewind();
    this.#hasReachedTip = true;
    return true;
  }

  /** Yields the blocks up to a slot, or less when many slots have none, which is true, or some have to be read again. */
  async *#readRange(last: number): AsyncGenerator<BlockEvent, boolean> {
    const { concurrency } = this.#options;
    const range = { from: this.#next, to: last, concurrency, maxSkipped: this.#maxSkipped };
    try {
      for await (const [slot, block] of readAhead(this.#reader, range)) {
        if (typeof block === "string") yield { kind: "gap", from: slot, to: slot, reason: block };
        else if (block) {
          const outcome = yield* this.#connect(block);
          if (outcome === "again") {
            this.#next = this.#reached + 1;
            return false;
          }
          if (outcome === "unusable") yield { kind: "gap", from: slot, to: slot, reason: "unanswered" };
          else {
            yield { kind: "block", block };
            this.#remember(block);
          }
        }
        if (block) [this.#reached, this.#maxSkipped] = [slot, SCANNED_SLOTS];
        this.#next = slot + 1;
      }
      return true;
    } catch (error) {
      // The node deletes old blocks while they are read.
      if (!isHistoryPruned(error)) throw error;
      yield* this.#skipPruned();
      return false;
    }
  }

  async *#skipPruned(): AsyncGenerator<BlockEvent> {
    if (!(await this.#node.checkCluster(this.#options.signal))) return;
    const first = Math.max(await this.#reader.firstSlot(), this.#next + 1);
    const isFirst = this.#known.length === 0 && this.#next === this.#options.from;
    if (isFirst) throw historyError(this.#node.name, this.#next, first);
    yield* this.#skipTo(first);
  }

  #remember({ slot, blockhash: hash }: ChainBlock): void {
    this.#known.push({ slot, hash });
    if (this.#known.length > MAX_KNOWN) this.#known.shift();
  }

  /** Checks that a block continues the chain, or whether it or those before it have to be read again. */
  async *#connect(block: ChainBlock): AsyncGenerator<BlockEvent, "next" | "again" | "unusable"> {
    const last = this.#known.at(-1);
    const isNext = last?.hash === block.previousBlockhash;
    if (isNext && last.slot === block.parentSlot) return "next";
    // The server of a stream may lag, or belong to another cluster: what the hash of the parent does not prove is asked
    // of the node.
    if (this.#reader.isStreamed(block)) return "again";
    if (!last && (block.parentSlot <= this.#reached || block.parentSlot >= block.slot)) return "next";
    // It may be of another chain: slots say nothing about that.
    if (!(await this.#node.checkCluster(this.#options.signal))) return "again";
    if (!last) return yield* this.#connectFirst(block);
    if (!isNext && (this.#options.commitment === "confirmed" || block.parentSlot <= last.slot)) {
      const rewound = yield* this.#rewind();
      if (rewound) return "again";
    }
    // Blocks between the two are missing: the node would have listed them.
    if (!isNext && block.parentSlot > last.slot) {
      yield { kind: "gap", from: last.slot + 1, to: block.parentSlot, reason: "missing" };
      return "next";
    }
    // The node has the last block: it is this one that is wrong.
    return (await this.#mayRepeat(block)) ? "again" : "unusable";
  }

  /** Lists once more what is before the first block: a list that was wrong would leave that out without a word. */
  async *#connectFirst(block: ChainBlock): AsyncGenerator<BlockEvent, "next" | "again"> {
    if (this.#isOldest) {
      const { parentSlot } = block;
      const from = Math.max(this.#reached, parentSlot - MAX_SKIPPED) + 1;
      const earlier = await this.#reader.slotsWithBlocks(from, parentSlot);
      if (earlier.length === 0) return "next";
      if (await this.#mayRepeat(block)) return "again";
    }
    yield { kind: "gap", from: this.#reached + 1, to: block.parentSlot, reason: "missing" };
    return "next";
  }

  /** Waits before a block that did not continue the chain is read again. Returns false when that was in vain. */
  async #mayRepeat({ slot }: ChainBlock): Promise<boolean> {
    const rounds = this.#doubt.slot === slot ? this.#doubt.rounds + 1 : 0;
    this.#doubt = { slot, rounds };
    if (rounds >= MAX_ROUNDS) return false;
    await sleep(retryDelay(rounds, this.#options.firstDelay), this.#options.signal);
    return true;
  }

  /** Removes the known blocks that are no longer part of the chain. Returns whether there were any. */
  async *#rewind(): AsyncGenerator<BlockEvent, boolean> {
    let removed: number | undefined;
    for (let last = this.#known.at(-1); last; last = this.#known.at(-1)) {
      const hash = await this.#reader.hash(last.slot).catch(ignoreUnavailable);
      // A node may have deleted what is final; that proves nothing.
      if (hash === last.hash || (hash === undefined && this.#options.commitment !== "confirmed")) break;
      removed = last.slot;
      this.#known.pop();
    }
    if (removed === undefined) return false;
    if (this.#known.length === 0)
      throw differentChainError(
        `The chain of ${this.#node.name} does not contain the block of slot ${removed} that was read before.`,
      );
    yield { kind: "removeFrom", slot: removed };
    this.#next = (this.#known.at(-1)?.slot ?? removed - 1) + 1;
    this.#reached = this.#next - 1;
    return true;
  }
}

function ignoreUnavailable(error: unknown): undefined {
  if (!(error instanceof GivenUpError) && !isHistoryPruned(error)) throw error;
}

const historyError = (name: string, slot: number, first: number) =>
  new SolxError("notFound", `${name} does not have the block of slot ${slot}: its history begins at slot ${first}.`, {
    code: "HISTORY_PRUNED",
    hint: "Start with the oldest block that the node has (--from earliest), or use a node with the whole history.",
  });
