/** Indexes the blocks of a node into a ledger file. */
import { isRejectedRow, isSqliteError, SolxError } from "../../base/index.ts";
import {
  type ChainLedgerWriter,
  type EpochSchedule,
  epochOfSlot,
  epochProperty,
  loadChainLedger,
  type OpeningSupplyFact,
  type SourceBlock,
} from "../ledger/index.ts";
import { type ChainBlock, isMethodRefused, Member, type NodeConnection } from "../solana/index.ts";
import {
  type BlockCommitment,
  type BlockEvent,
  type FollowBlocksOptions,
  followBlocks,
  type GapReason,
  type StartSlot,
  unreadableError,
} from "./blocks.ts";
import { blockToFacts, type ConversionOptions } from "./facts/convert.ts";
import { createKnowledge } from "./facts/knowledge.ts";
import { filterKey, type IndexFilter, type IndexProgress, ProgressMeter, selectTransactions } from "./filter.ts";
import { lastingConnection, type NodeEvent } from "./lasting-connection.ts";
import {
  encodeOpening,
  OpeningCorrections,
  type OpeningSlots,
  readCheckpoint,
  type SlotRange,
} from "./state/checkpoint.ts";
import { InterfaceReader } from "./state/interfaces.ts";
import { readOpening, readTokens } from "./state/opening.ts";

/** Options of {@link indexInto}. */
export interface IndexOptions extends Omit<FollowBlocksOptions, "from" | "known"> {
  /** The file of the ledger; it is created when it does not exist. */
  readonly path: string;
  /** Where a new index starts; the next block by default. An existing one continues where it ended. */
  readonly from?: StartSlot | undefined;
  readonly filter?: IndexFilter | undefined;
  /** Whether a new index reads the balances before its first block; true by default. */
  readonly opening?: boolean | undefined;
  /** Seconds of the cluster's time that are kept; all by default. Older blocks are removed. */
  readonly keep?: number | undefined;
  /** Maximum number of blocks that are written together. */
  readonly batchBlocks?: number | undefined;
  /** Milliseconds before a call that failed is repeated; they double up to 30 seconds. */
  readonly firstDelay?: number | undefined;
  readonly onEvent?: ((event: IndexEvent) => void) | undefined;
  /** Called for each call that is repeated. */
  readonly onRetry?: (() => void) | undefined;
}

/** What an index reports. */
export type IndexEvent =
  | { readonly kind: "start"; readonly from: StartSlot; readonly isResumed: boolean; readonly genesisHash: string }
  | { readonly kind: "progress"; readonly progress: IndexProgress; readonly isAtTip: boolean }
  /** Blocks from a slot on were dropped by the cluster and removed. */
  | { readonly kind: "rollback"; readonly slot: number }
  /** The node does not have the blocks of these slots. */
  | { readonly kind: "gap"; readonly from: number; readonly to: number; readonly reason: GapReason }
  | NodeEvent
  /** What is incomplete, as a sentence. */
  | { readonly kind: "note"; readonly text: string };

/** Transactions and blocks that are written together while an index catches up. */
const BATCH_TRANSACTIONS = 8000;
const DEFAULT_BATCH_BLOCKS = 200;

/**
 * Indexes blocks until the end of the range, or without an end until the signal fires. All that was reported as
 * progress is in the file.
 * @throws SolxError when the file is in use, or was made from another cluster or with other options
 * @throws InterruptedError when the signal fires
 */
export async function indexInto(
  nodes: NodeConnection | readonly NodeConnection[],
  options: IndexOptions,
): Promise<IndexProgress> {
  const { path, signal, onEvent, onRetry, firstDelay } = options;
  const node = lastingConnection([nodes].flat(), { signal, onEvent, onRetry, firstDelay });
  const genesisHash = new Member(await node.call("getGenesisHash", [], { signal })).text();
  const epochs = scheduleOf(new Member(await node.call("getEpochSchedule", [], { signal })));
  const { openChainLedger } = await loadChainLedger();
  const ledger = openChainLedger(path, `chain:${genesisHash}`);
  try {
    return await new IndexRun(node, ledger, { ...options, genesisHash, epochs }).run();
  } finally {
    ledger.close();
  }
}

const scheduleOf = (schedule: Member): EpochSchedule => ({
  slotsPerEpoch: schedule.at("slotsPerEpoch").count(),
  firstNormalSlot: schedule.at("firstNormalSlot").count(),
  firstNormalEpoch: schedule.at("firstNormalEpoch").count(),
});

interface RunOptions extends IndexOptions {
  readonly genesisHash: string;
  readonly epochs: EpochSchedule;
}

class IndexRun {
  readonly #node: NodeConnection;
  readonly #ledger: ChainLedgerWriter;
  readonly #options: RunOptions;
  readonly #commitment: BlockCommitment;
  readonly #meter: ProgressMeter;
  readonly #interfaces: InterfaceReader;
  #conversion: ConversionOptions;
  #corrections: OpeningCorrections | undefined;
  #pending: SourceBlock[] = [];
  #pendingTransactions = 0;
  #gaps: readonly SlotRange[] = [];
  #tip = 0;
  #finalSlot = 0;

  constructor(node: NodeConnection, ledger: ChainLedgerWriter, options: RunOptions) {
    this.#node = node;
    this.#ledger = ledger;
    this.#options = options;
    this.#commitment = options.commitment ?? "finalized";
    this.#meter = new ProgressMeter(ledger.bytes, () => performance.now());
    this.#interfaces = new InterfaceReader(node);
    this.#conversion = this.#newConversion();
  }

  /** What the conversion knows is what the ledger contains. */
  #newConversion(): ConversionOptions {
    const { filter = {}, epochs } = this.#options;
    const epochOf = (slot: number) => epochOfSlot(epochs, slot);
    const select = selectTransactions(filter);
    const onUnparsed = (program: string) => this.#interfaces.add(program);
    return { knowledge: createKnowledge(this.#ledger.known), epochOf, onUnparsed, ...(select && { select }) };
  }

  async run(): Promise<IndexProgress> {
    const { filter = {}, from = "now", genesisHash } = this.#options;
    const identity = { commitment: this.#commitment, filter: filterKey(filter) };
    const isResumed = readCheckpoint(this.#ledger, identity).next !== undefined;
    if (!isResumed) await this.#open(from, { ...identity, genesisHash });
    const { next = from, opening, known, gaps } = readCheckpoint(this.#ledger, identity);
    this.#gaps = gaps;
    if (opening) this.#corrections = new OpeningCorrections(opening, this.#ledger.known.hasChange);
    this.#report({ kind: "start", from: next, isResumed, genesisHash });
    await this.#follow({ from: next, known });
    return this.#progress();
  }

  /** Determines the first slot of a new index and writes the state before it. */
  async #open(from: StartSlot, meta: Readonly<Record<string, string>>): Promise<void> {
    const { opening = true, signal } = this.#options;
    const config = { commitment: this.#commitment };
    const latest = async () => new Member(await this.#node.call("getSlot", [config], { signal, fresh: true }));
    const first = from === "now" ? (await latest()).count() + 1 : from;
    const slots = opening ? await this.#writeOpening() : undefined;
    // An index without these properties is incomplete: the next run reads the state again.
    this.#ledger.write({
      meta: {
        ...meta,
        ...epochProperty(this.#options.epochs),
        next: first,
        node: this.#node.name,
        ...(slots && { opening: encodeOpening(slots) }),
      },
    });
  }

  async #writeOpening(): Promise<OpeningSlots | undefined> {
    const { filter = {}, signal } = this.#options;
    const { programs = [], accounts = [], mints = [] } = filter;
    // An index of programs alone needs no opening balances: its transactions name the accounts that they use.
    if (programs.length > 0 && accounts.length + mints.length === 0) return undefined;
    let balances = 0;
    const supplies: [OpeningSupplyFact, number][] = [];
    const reading = { commitment: this.#commitment, mints, accounts, signal };
    for await (const { facts, slot, note } of readOpening(this.#node, reading)) {
      if (note !== undefined) this.#report({ kind: "note", text: `State before the first block: ${note}.` });
      balances = Math.max(balances, slot);
      for (const supply of facts.openingSupplies ?? []) supplies.push([supply, slot]);
      this.#ledger.write({ opening: [facts] });
    }
    return { balances, supplies };
  }

  async #follow(start: Pick<FollowBlocksOptions, "from" | "known">): Promise<void> {
    try {
      for await (const event of followBlocks(this.#node, { ...this.#options, ...start })) await this.#handle(event);
    } finally {
      // What was read is kept, whatever ended the reading.
      this.#flush(false);
    }
  }

  async #handle(event: BlockEvent): Promise<void> {
    if (event.kind === "block") await this.#add(event.block);
    else if (event.kind === "removeFrom") this.#removeFrom(event.slot);
    else if (event.kind === "gap") {
      // It is stored with the block after it: a run that ends before finds it again.
      const { from, to } = event;
      this.#gaps = [...this.#gaps.filter((gap) => gap.from < from), { from, to }];
      this.#report(event);
    } else if (event.kind === "tip") {
      this.#tip = event.slot;
      this.#finalSlot = event.finalSlot;
    } else this.#flush(true);
  }

  async #add(block: ChainBlock): Promise<void> {
    const { facts, interfaces } = await this.#read(block);
    if (Object.keys(interfaces).length > 0) this.#ledger.write({ meta: interfaces });
    // What the chain may drop is written block by block, so that each can be removed.
    if (block.slot > this.#finalSlot) this.#flush(false);
    this.#pending.push(facts);
    this.#pendingTransactions += facts.transactions.length;
    const { batchBlocks = DEFAULT_BATCH_BLOCKS } = this.#options;
    const isFull = this.#pending.length >= batchBlocks || this.#pendingTransactions >= BATCH_TRANSACTIONS;
    if (isFull || block.slot > this.#finalSlot) this.#flush(false);
  }

  /** Reads what a block says. What libraries throw about wrong addresses in it is an error of the block, too. */
  async #read(block: ChainBlock) {
    try {
      const converted = await blockToFacts(block, this.#conversion).catch((cause: Error) => {
        throw unreadableError(block.slot, cause);
      });
      const facts = await this.#describeTokens(converted);
      return { facts, interfaces: await this.#interfaces.read() };
    } catch (error) {
      throw error instanceof SolxError ? error : unreadableError(block.slot, error as Error);
    }
  }

  /** Adds names and authorities of tokens that are older than the ledger and were not in its opening state. */
  async #describeTokens(block: SourceBlock): Promise<SourceBlock> {
    const { tokens = [] } = block.facts;
    const unknown = tokens.filter(({ name, created }) => name === undefined && created === undefined);
    if (unknown.length === 0) return block;
    const mints = unknown.map(({ address }) => address);
    const reading = { commitment: this.#commitment, signal: this.#options.signal };
    const described = await readTokens(this.#node, mints, reading).catch((error: unknown) => {
      if (isMethodRefused(error)) return { tokens: [] };
      throw error;
    });
    const states = described.tokens.map(({ token }) => token);
    for (const token of states) this.#conversion.knowledge?.tokens.set(token);
    return { ...block, facts: { ...block.facts, tokens: [...tokens, ...states] } };
  }

  #flush(isAtTip: boolean): void {
    // A block that cannot be stored is not tried again.
    const pending = this.#pending;
    [this.#pending, this.#pendingTransactions] = [[], 0];
    const blocks = pending.map((block) => this.#corrections?.correct(block) ?? block);
    if (blocks.length > 0) {
      this.#store(blocks);
      this.#prune(blocks.at(-1)?.time);
    }
    if (blocks.length > 0 || isAtTip) this.#report({ kind: "progress", progress: this.#progress(), isAtTip });
  }

  #prune(time: number | undefined): void {
    const { keep } = this.#options;
    if (keep !== undefined && time !== undefined) this.#ledger.prune(time - keep);
  }

  /** Writes blocks. When that fails, those before the one that is to blame are written. @throws a SolxError about it */
  #store(blocks: readonly SourceBlock[]): void {
    const last = blocks.at(-1) as SourceBlock;
    try {
      this.#ledger.write({
        blocks,
        meta: { next: last.slot + 1, gaps: JSON.stringify(this.#gaps), ...this.#openingMeta(last.slot) },
        mayBeDropped: last.slot > this.#finalSlot,
        finalSlot: this.#commitment === "confirmed" ? this.#finalSlot : undefined,
      });
    } catch (error) {
      if (error instanceof SolxError || (isSqliteError(error) && !isRejectedRow(error))) throw error;
      if (blocks.length === 1) throw unreadableError(last.slot, error as Error);
      for (const block of blocks) this.#store([block]);
      return;
    }
    for (const block of blocks) this.#meter.add(block);
  }

  /** Returns the corrected opening supplies; nothing after the blocks that correct them. */
  #openingMeta(slot: number): Readonly<Record<string, string>> {
    const corrections = this.#corrections;
    if (!corrections) return {};
    if (slot >= corrections.lastSlot) this.#corrections = undefined;
    return { opening: encodeOpening(corrections.slots) };
  }

  #removeFrom(slot: number): void {
    this.#flush(false);
    this.#gaps = this.#gaps.filter(({ from }) => from < slot);
    this.#ledger.removeFrom(slot, { next: slot, gaps: JSON.stringify(this.#gaps) });
    this.#conversion = this.#newConversion();
    this.#report({ kind: "rollback", slot });
  }

  #progress(): IndexProgress {
    return this.#meter.report(this.#tip, this.#ledger.bytes);
  }

  #report(event: IndexEvent): void {
    this.#options.onEvent?.(event);
  }
}
