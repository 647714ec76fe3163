/** Indexes the blocks of a node into a ledger file. */
import { ignoreFailure, isRejectedRow, isSqliteError, SolxError, sleep, throwIfAborted } from "../../base/index.ts";
import {
  type ChainLedgerWriter,
  type EpochSchedule,
  epochOfSlot,
  epochProperty,
  loadChainLedger,
  type OpeningSupplyFact,
  type SourceBlock,
  type TokenFact,
} from "../ledger/index.ts";
import { type ChainBlock, Member, type NodeConnection } from "../solana/index.ts";
import { type BlockCommitment, type BlockReader, createBlockReader } from "./block-reader.ts";
import { type BlockEvent, type FollowBlocksOptions, followBlocks, MAX_SKIPPED, type StartSlot } from "./blocks.ts";
import { blockToFacts, type ConversionOptions } from "./facts/convert.ts";
import { createKnowledge } from "./facts/knowledge.ts";
import {
  countSlots,
  filterKey,
  type IndexFilter,
  type IndexProgress,
  ProgressMeter,
  selectTransactions,
} from "./filter.ts";
import { GapFiller } from "./gap-filler.ts";
import {
  type LastingConnection,
  lastingConnection,
  MAX_ROUNDS,
  type NodeEvent,
  retryDelay,
  UnreadableBlockError,
} from "./lasting-connection.ts";
import {
  decodeOpening,
  encodeOpening,
  OpeningCorrections,
  type OpeningSlots,
  readCheckpoint,
} from "./state/checkpoint.ts";
import {
  addGap,
  contentKey,
  decodeKeptBlock,
  encodeBlock,
  encodeGaps,
  type Gap,
  type KeptBlock,
  readGaps,
  removeSlots,
} from "./state/gaps.ts";
import { InterfaceReader } from "./state/interfaces.ts";
import { collectionsOf, readOpening, readTokens, type TokenState } from "./state/opening.ts";

const laggingText = ({ tip, slot }: { readonly tip: number; readonly slot: number }): string =>
  `The node lags: its latest slot is ${tip}, before the last block of the index (slot ${slot}).`;

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
  /** Whether another store has the rows, and answers: a new file has what a writer needs. */
  readonly isShipped?: boolean | undefined;
  /** Called after blocks were written, for the last time with `isLast`; the index goes on when it has ended. */
  readonly afterWrite?: ((ledger: ChainLedgerWriter, isLast: boolean) => Promise<void>) | undefined;
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
  /** No node has returned the blocks of these slots. The index goes on, and asks for them again. */
  | ({ readonly kind: "gap" } & Gap)
  /** They were found; blocks after them are written again. */
  | { readonly kind: "filled"; readonly from: number; readonly to: number }
  | NodeEvent
  /** What is incomplete, as a sentence. */
  | { readonly kind: "note"; readonly text: string };

/** Transactions and blocks that are written together while an index catches up. */
const BATCH_TRANSACTIONS = 8000;
const DEFAULT_BATCH_BLOCKS = 200;

const PARTIAL =
  "The node lacks inner instructions or token balances of some transactions: answers from these blocks say so.";

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
  const all = [nodes].flat();
  const node = lastingConnection(all, { signal, onEvent, onRetry, firstDelay });
  const read = <T>(method: string, decode: (result: Member) => T) =>
    node.read({ method, params: [] }, (result) => decode(new Member(result)), { signal });
  const genesisHash = await read("getGenesisHash", (result) => result.text());
  const epochs = await read("getEpochSchedule", scheduleOf);
  const { openChainLedger } = await loadChainLedger();
  const ledger = openChainLedger(path, `chain:${genesisHash}`, options.isShipped);
  try {
    return await new IndexRun(node, ledger, { ...options, nodes: all, genesisHash, epochs }).run();
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
  readonly nodes: readonly NodeConnection[];
  readonly genesisHash: string;
  readonly epochs: EpochSchedule;
}

interface PendingBlock {
  readonly block: ChainBlock;
  readonly facts: SourceBlock;
  /** The block as it was read, to write it again when a gap before it is filled. */
  readonly bytes: Uint8Array | undefined;
}

class IndexRun {
  readonly #node: LastingConnection;
  readonly #ledger: ChainLedgerWriter;
  readonly #options: RunOptions;
  readonly #commitment: BlockCommitment;
  readonly #meter: ProgressMeter;
  readonly #filler: GapFiller;
  /** Why blocks could not be stored, by slot and content. */
  readonly #refused = new Map<number, Map<string, Error>>();
  #interfaces: InterfaceReader;
  #conversion: ConversionOptions;
  #corrections: OpeningCorrections | undefined;
  #gaps: readonly Gap[] = [];
  #pending: PendingBlock[] = [];
  #pendingTransactions = 0;
  #isPartial = false;
  #tip = 0;
  #finalSlot = 0;

  constructor(node: LastingConnection, ledger: ChainLedgerWriter, options: RunOptions) {
    this.#node = node;
    this.#ledger = ledger;
    this.#options = options;
    this.#commitment = options.commitment ?? "finalized";
    this.#meter = new ProgressMeter(ledger.bytes, () => performance.now());
    this.#interfaces = new InterfaceReader(node);
    this.#conversion = this.#newConversion();
    const { select } = this.#conversion;
    const refusalOf = this.#refusalOf;
    this.#filler = new GapFiller(options.nodes, {
      ...options,
      ledger,
      commitment: this.#commitment,
      select,
      refusalOf,
    });
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
    if (isResumed) this.#checkRange();
    else await this.#open(from, { ...identity, genesisHash });
    this.#restore();
    this.#report({ kind: "start", from: readCheckpoint(this.#ledger, identity).next ?? from, isResumed, genesisHash });
    for (const gap of this.#gaps) this.#report({ kind: "gap", ...gap });
    for (;;) {
      try {
        if (this.#gaps.some(({ reason }) => reason === "rewritten")) await this.#writeAgain();
        const { next = "earliest", known } = readCheckpoint(this.#ledger, identity);
        await this.#follow({ from: next, known });
        return this.#progress();
      } catch (error) {
        if (!(error instanceof UnreadableBlockError)) throw error;
        // The block is refused from now on: it is taken from another node, or is a gap.
        this.#forget();
      }
    }
  }

  /** Returns the error of a block that cannot be stored, which is not accepted again. */
  #refuse(block: ChainBlock, cause: Error): SolxError {
    const causes = this.#refused.get(block.slot) ?? new Map();
    this.#refused.set(block.slot, causes.set(contentKey(block, this.#conversion.select), cause));
    return new UnreadableBlockError(block.slot, cause);
  }

  readonly #refusalOf = (block: ChainBlock): Error | undefined => {
    const causes = this.#refused.get(block.slot);
    const cause = causes?.get(contentKey(block, this.#conversion.select));
    // A node may return other values whenever it is asked.
    return cause ?? (causes && causes.size > MAX_ROUNDS ? causes.values().next().value : undefined);
  };

  /** @throws SolxError where the range ends before the index begins: facts cannot be added in front of others */
  #checkRange(): void {
    const { to = Number.POSITIVE_INFINITY } = this.#options;
    const first = Number(this.#ledger.db.prepare("SELECT MIN(slot) AS slot FROM blocks").get()?.slot ?? 0);
    if (to >= first) return;
    throw new SolxError("usage", `The index begins at slot ${first}: the slots up to ${to} cannot be added to it.`, {
      code: "INDEX_START",
      hint: { command: "Index them under another name: --index <name>", program: "Index them into another file." },
    });
  }

  /** Continues with what the ledger contains. */
  #restore(): void {
    this.#restoreOpening();
    this.#gaps = readGaps(this.#ledger);
  }

  #restoreOpening(): void {
    const opening = decodeOpening(this.#ledger.meta("opening"));
    this.#corrections = opening && new OpeningCorrections(opening, this.#ledger.known.hasChange);
  }

  /** Determines the first slot of a new index and writes the state before it. */
  async #open(from: StartSlot, meta: Readonly<Record<string, string>>): Promise<void> {
    const { opening = true } = this.#options;
    const reader = createBlockReader(this.#node, this.#commitment, this.#options.signal);
    const first = from === "now" ? await this.#findNextSlot(reader) : from;
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

  /** Returns the slot after the latest block. A latest slot that is wrong has none near it: it is asked for again. */
  async #findNextSlot(reader: BlockReader): Promise<number> {
    for (let round = 0; ; round++) {
      const tip = await reader.latestSlot();
      const blocks = await reader.slotsWithBlocks(Math.max(0, tip - MAX_SKIPPED + 1), tip);
      if (blocks.length > 0 || round >= MAX_ROUNDS) return tip + 1;
      await sleep(retryDelay(round, this.#options.firstDelay), this.#options.signal);
    }
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
      for await (const event of followBlocks(this.#node, { ...this.#options, ...start, refusalOf: this.#refusalOf })) {
        await this.#handle(event);
        await this.#options.afterWrite?.(this.#ledger, false);
        if (this.#filler.isDue) await this.#fillGaps();
      }
      await this.#fillGaps();
    } finally {
      // What was read is kept, whatever ended the reading.
      this.#flush();
    }
    await this.#options.afterWrite?.(this.#ledger, true);
  }

  async #handle(event: BlockEvent): Promise<void> {
    const { block } = event.kind === "block" ? event : {};
    if (block) await this.#add({ block, count: block.transactions.length });
    else if (event.kind === "removeFrom") this.#removeFrom(event.slot);
    else if (event.kind === "gap") this.#addGap(event);
    else if (event.kind === "complete") this.#removeGap(event);
    else if (event.kind === "tip") {
      this.#tip = event.slot;
      this.#finalSlot = event.finalSlot;
    } else if (event.kind === "lagging") this.#report({ kind: "note", text: laggingText(event) });
    else if (event.kind === "idle") this.#flush(event.isAtTip, true);
  }

  /** Gaps that are not filled. */
  get #openGaps(): readonly Gap[] {
    return this.#gaps.filter(({ reason }) => reason !== "rewritten" && reason !== "unheld");
  }

  #addGap({ from, to, reason }: Gap): void {
    this.#flush();
    const gaps = addGap(this.#gaps, { from, to, reason });
    if (countSlots(gaps) === countSlots(this.#gaps)) return;
    this.#gaps = gaps;
    this.#ledger.write({ meta: encodeGaps(gaps) });
    this.#report({ kind: "gap", from, to, reason });
    this.#filler.reset();
  }

  /** Forgets a gap at the end, where there are no blocks. */
  #removeGap({ from, to }: { readonly from: number; readonly to: number }): void {
    this.#flush();
    const gaps = removeSlots(this.#gaps, from, to);
    if (countSlots(gaps) === countSlots(this.#gaps)) return;
    this.#gaps = gaps;
    this.#ledger.write({ meta: encodeGaps(gaps) });
    this.#report({ kind: "filled", from, to });
  }

  /** Looks for the blocks of gaps. Blocks after a gap that is filled are removed and written again after its blocks. */
  async #fillGaps(): Promise<void> {
    while (this.#openGaps.length > 0) {
      this.#flush();
      const filled = await this.#filler.findFilled(this.#openGaps);
      const from = filled[0]?.from;
      if (from === undefined) return;
      this.#filler.reset();
      const last = Number(this.#ledger.db.prepare("SELECT MAX(slot) AS slot FROM blocks").get()?.slot);
      const rest = this.#gaps.filter((each) => !filled.includes(each));
      const gaps: readonly Gap[] = [...rest, { from, to: last, reason: "rewritten" }];
      this.#ledger.removeFrom(from, { next: from, ...encodeGaps(gaps) }, true);
      this.#forget();
      await this.#writeAgain();
      for (const gap of filled) this.#report({ kind: "filled", from: gap.from, to: gap.to });
    }
  }

  /** Writes the held blocks that follow the last block of the ledger. */
  async #writeAgain(): Promise<void> {
    const { signal } = this.#options;
    this.#finalSlot = await createBlockReader(this.#node, "finalized", signal).latestSlot();
    for (let next = Number(this.#ledger.meta("next")); ; ) {
      const [slot, bytes] = this.#ledger.held(next) ?? [];
      if (slot === undefined || !bytes) break;
      throwIfAborted(signal);
      const gap = this.#openGaps.find(({ from, to }) => from <= slot && slot <= to);
      const kept = gap ? undefined : decodeKeptBlock(bytes);
      if (kept && this.#refusalOf(kept.block)) this.#addGap({ from: slot, to: slot, reason: "unreadable" });
      else if (kept) await this.#add(kept, bytes);
      next = (gap?.to ?? slot) + 1;
    }
    this.#flush();
    this.#gaps = this.#gaps.filter(({ reason }) => reason !== "rewritten");
    this.#ledger.write({ meta: encodeGaps(this.#gaps) });
  }

  async #add({ block, count }: KeptBlock, held?: Uint8Array): Promise<void> {
    const { facts, interfaces } = await this.#read(block);
    if (Object.keys(interfaces).length > 0) this.#ledger.write({ meta: interfaces });
    if (block.isPartial && !this.#isPartial) this.#report({ kind: "note", text: PARTIAL });
    this.#isPartial ||= block.isPartial === true;
    const gapSlot = this.#gapSlot;
    const before = this.#pending.at(-1)?.facts.slot ?? Number.POSITIVE_INFINITY;
    const isAfterGap = this.#openGaps.some(({ from }) => from > before && from < block.slot);
    // What may be removed is written block by block, or with all after the same gap.
    if (block.slot > this.#finalSlot || isAfterGap) this.#flush();
    this.#gaps = removeSlots(this.#gaps, block.parentSlot + 1, block.slot);
    const isKept = gapSlot !== undefined && gapSlot < block.slot;
    const bytes = isKept ? (held ?? encodeBlock(block, this.#conversion.select)) : undefined;
    const { totals } = facts;
    const stored = totals ? { ...facts, totals: { ...totals, transactions: count } } : facts;
    this.#pending.push({ block, facts: stored, bytes });
    this.#pendingTransactions += facts.transactions.length;
    const { batchBlocks = DEFAULT_BATCH_BLOCKS } = this.#options;
    const isFull = this.#pending.length >= batchBlocks || this.#pendingTransactions >= BATCH_TRANSACTIONS;
    if (isFull || block.slot > this.#finalSlot) this.#flush();
  }

  /** Reads what a block says. What libraries throw about wrong addresses in it is an error of the block, too. */
  async #read(block: ChainBlock) {
    try {
      const converted = await blockToFacts(block, this.#conversion).catch((cause: Error) => {
        throw this.#refuse(block, cause);
      });
      const facts = await this.#describeTokens(converted);
      return { facts, interfaces: await this.#interfaces.read() };
    } catch (error) {
      throw error instanceof SolxError ? error : this.#refuse(block, error as Error);
    }
  }

  /**
   * Adds what only the accounts say: names and authorities of tokens that are older than the ledger and were not in its
   * opening state, and of tokens without decimals, which may be NFTs, their collections.
   */
  async #describeTokens(block: SourceBlock): Promise<SourceBlock> {
    const { tokens = [] } = block.facts;
    const isUnknown = ({ name, created }: TokenFact) => name === undefined && created === undefined;
    const unknown = tokens.filter((token) => isUnknown(token) || token.decimals === 0);
    if (unknown.length === 0) return block;
    const described = await this.#readTokens(unknown.map(({ address }) => address));
    const found = described.flatMap(({ nft }) => nft ?? []);
    const known = new Map(tokens.map((token) => [token.address, token]));
    const nfts = found.map((nft) => ({ ...nft, minted: known.get(nft.address)?.firstMint }));
    const collections = collectionsOf(nfts);
    const isNamed = (mint: string) => this.#conversion.knowledge?.tokens.get(mint)?.name !== undefined;
    const unnamed = collections.map(({ address }) => address).filter((address) => !isNamed(address));
    const mints = unnamed.length > 0 ? await this.#readTokens(unnamed) : [];
    const older = described.filter(({ token: { address } }) =>
      unknown.some((token) => token.address === address && isUnknown(token)),
    );
    const states = [...older, ...mints].map(({ token }) => token);
    const unique = nfts.flatMap(({ address }) => {
      const token = known.get(address);
      return token && !isUnknown(token) && token.kind !== "nft" ? [{ ...token, kind: "nft" } as const] : [];
    });
    const all = [...states, ...unique];
    for (const token of all) this.#conversion.knowledge?.tokens.set(token);
    return {
      ...block,
      facts: { ...block.facts, tokens: [...tokens, ...all], nfts, nftCollections: collections },
    };
  }

  async #readTokens(mints: readonly string[]): Promise<readonly TokenState[]> {
    const reading = { commitment: this.#commitment, signal: this.#options.signal };
    // If no node describes them, however often it is asked: blocks matter more.
    const described = await readTokens(this.#node, mints, reading).catch(ignoreFailure);
    return described?.tokens ?? [];
  }

  #flush(isAtTip = false, isIdle = isAtTip): void {
    // A block that cannot be stored is not tried again.
    const pending = this.#pending;
    [this.#pending, this.#pendingTransactions] = [[], 0];
    if (pending.length > 0) {
      this.#store(pending);
      this.#prune(pending.at(-1)?.facts.time);
    }
    if (pending.length > 0 || isIdle) this.#report({ kind: "progress", progress: this.#progress(), isAtTip });
  }

  #prune(time: number | undefined): void {
    const { keep } = this.#options;
    if (keep !== undefined && time !== undefined) this.#ledger.prune(time - keep);
  }

  /** Writes blocks. When that fails, those before the one that is to blame are written. @throws a SolxError about it */
  #store(pending: readonly PendingBlock[]): void {
    const blocks = pending.map(({ facts }) => this.#corrections?.correct(facts) ?? facts);
    const last = blocks.at(-1) as SourceBlock;
    try {
      this.#ledger.write({
        blocks,
        meta: { next: last.slot + 1, ...this.#openingMeta(last.slot), ...encodeGaps(this.#gaps) },
        // Only the next block proves that the last one is right: until then, it can be replaced.
        mayBeDropped: this.#commitment === "finalized" || last.slot > this.#finalSlot,
        finalSlot: this.#commitment === "confirmed" ? this.#finalSlot : last.slot - 1,
        gapSlot: this.#gapSlot,
        held: pending.flatMap(({ facts, bytes }) => (bytes ? [[facts.slot, bytes]] : [])),
      });
    } catch (error) {
      // Of blocks that were not written, nothing may be corrected twice.
      this.#restoreOpening();
      if (error instanceof SolxError || (isSqliteError(error) && !isRejectedRow(error))) throw error;
      if (pending[0] && pending.length === 1) throw this.#refuse(pending[0].block, error as Error);
      for (const block of pending) this.#store([block]);
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
    const kept = this.#pending.filter(({ facts }) => facts.slot < slot);
    this.#pending = kept;
    this.#flush();
    const last = Number(this.#ledger.db.prepare("SELECT MAX(slot) AS slot FROM blocks").get()?.slot ?? -1);
    if (last >= slot) this.#ledger.removeFrom(slot, { next: slot });
    this.#forget();
    this.#report({ kind: "rollback", slot });
  }

  /** Forgets what removed blocks said. */
  #forget(): void {
    this.#conversion = this.#newConversion();
    this.#interfaces = new InterfaceReader(this.#node);
    this.#restore();
  }

  /** The slot of the first gap that may be filled. */
  get #gapSlot(): number | undefined {
    return this.#openGaps[0]?.from;
  }

  #progress(): IndexProgress {
    return this.#meter.report(this.#tip, this.#ledger.bytes, this.#gaps);
  }

  #report(event: IndexEvent): void {
    this.#options.onEvent?.(event);
  }
}
