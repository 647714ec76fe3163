/**
 * A chain of blocks over litesvm, which executes transactions but has neither blocks nor history. Every transaction gets
 * a separate block unless it is sent within {@link TestChain.inOneBlock}.
 */
import { createHash } from "node:crypto";
import {
  type Address,
  address,
  blockhash as asBlockhash,
  lamports as asLamports,
  type EncodedAccount,
  getAddressEncoder,
  getBase58Decoder,
  getBase58Encoder,
} from "@solana/kit";
import { MEMO_PROGRAM_ADDRESS } from "@solana-program/memo";
import { SYSTEM_PROGRAM_ADDRESS } from "@solana-program/system";
import { Clock, EpochSchedule, FailedTransactionMetadata, LiteSVM, type TransactionMetadata } from "litesvm";
import { type Account, type AccountView, walletAccount } from "./account.ts";
import { isRecorded, RpcError, wireError } from "./errors.ts";
import { tokenBalances } from "./token-amounts.ts";
import {
  type CompiledInstruction,
  costOf,
  type DecodedTransaction,
  decodeTransaction,
  type ExecutedTransaction,
  feesOf,
  keysOf,
  loadAddresses,
} from "./transaction.ts";
import type { Wire } from "./wire.ts";

/** A reward of a block. */
export interface Reward {
  readonly pubkey: Address;
  readonly lamports: bigint;
  readonly postBalance: bigint;
  readonly rewardType: "Fee" | "Rent" | "Staking" | "Voting";
  readonly commission: number | null;
}

/** A block. */
export interface Block {
  readonly slot: number;
  readonly parentSlot: number;
  readonly height: number;
  readonly blockhash: string;
  readonly previousBlockhash: string;
  /** Unix seconds. */
  readonly time: number;
  readonly leader: Address;
  readonly rewards: readonly Reward[];
  readonly transactions: readonly ExecutedTransaction[];
  /** The accounts that the block changed, as they were before it; undefined for those that did not exist. */
  readonly before: ReadonlyMap<string, Account | undefined>;
}

/** How final blocks are. */
export type Commitment = "processed" | "confirmed" | "finalized";

/** When blocks become final: at once, by command, or when so many blocks follow. */
export type Finality = "instant" | "manual" | { readonly confirmed: number; readonly finalized: number };

/** Settings of a chain. */
export interface ChainOptions {
  /** The slot of the first block: 1 by default. */
  readonly firstSlot?: number;
  /** Unix seconds of the first block; later ones follow by 0.4 s a slot. */
  readonly time?: number;
  /** Returns the time in Unix seconds, instead of time by slots. */
  readonly now?: () => number;
  /** Slots of an epoch: 432,000 by default; 32 at least. */
  readonly slotsPerEpoch?: number;
  readonly finality?: Finality;
  /** Validators that lead four slots each in turn. */
  readonly leaders?: readonly Address[];
}

/** What a chain reports to its listeners. */
export interface ChainEvents {
  block?(block: Block): void;
  /** Blocks that became confirmed or finalized, oldest first. */
  committed?(level: "confirmed" | "finalized", blocks: readonly Block[]): void;
  dropped?(blocks: readonly Block[]): void;
}

/** What a simulation found. */
export interface Simulation {
  readonly err: Wire;
  readonly logs: readonly string[];
  readonly computeUnits: bigint;
  readonly returnData: ExecutedTransaction["returnData"];
  readonly inner: ExecutedTransaction["inner"];
  readonly keys: ExecutedTransaction["keys"];
  readonly fee: bigint;
  /** The accounts after the transaction. */
  readonly accounts: ReadonlyMap<string, Account>;
}

const MAX_AGE = 150;
const SLOT_SECONDS = 0.4;
const MAX_SLOT_HASHES = 512;
const GENESIS_LAMPORTS = 500_000_000n * 1_000_000_000n;
/** 2024-07-05 12:00 UTC. */
const DEFAULT_TIME = 1_720_180_800;
/** The program of most memos on mainnet. */
export const MEMO_PROGRAM = address("MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr");
const DEFAULT_LEADER = address("Va1idator1111111111111111111111111111111111");

interface OpenBlock {
  readonly slot: number;
  readonly transactions: ExecutedTransaction[];
  readonly before: Map<string, Account | undefined>;
  readonly rewards: Reward[];
}

/** A chain. */
export class TestChain {
  /** The machine that executes: for planting programs and features. Accounts are planted by {@link setAccount}. */
  readonly svm: LiteSVM;
  readonly leaders: readonly Address[];
  readonly firstSlot: number;
  readonly slotsPerEpoch: number;
  readonly genesisHash: string;
  /** The oldest slot that the node still has. */
  firstAvailable: number;
  /** Slots whose blocks are missing in long-term storage. */
  readonly missing: Set<number> = new Set();
  readonly #blocks: Block[] = [];
  readonly #bySlot = new Map<number, Block>();
  readonly #bySignature = new Map<string, ExecutedTransaction>();
  readonly #byAddress = new Map<string, ExecutedTransaction[]>();
  /** The programs that own accounts, as far as any was read. */
  readonly owners: Set<string> = new Set();
  readonly #listeners = new Set<ChainEvents>();
  readonly #finality: Finality;
  readonly #time: (slot: number) => number;
  #timeOffset = 0;
  #nextSlot: number;
  #open: OpenBlock | undefined;
  #isHeld = false;
  #confirmed = 0;
  #finalized = 0;

  constructor(options: ChainOptions = {}) {
    const { firstSlot = 1, time = DEFAULT_TIME, now, slotsPerEpoch = 432_000, finality = "instant" } = options;
    this.svm = new LiteSVM().withBlockhashCheck(false).withTransactionHistory(0n).withNativeMints();
    // The memo program that current clients use is a copy of this one at another address.
    this.svm.addProgram(MEMO_PROGRAM_ADDRESS, this.#read(MEMO_PROGRAM)?.data ?? new Uint8Array());
    this.leaders = options.leaders?.length ? options.leaders : [DEFAULT_LEADER];
    this.firstSlot = firstSlot;
    this.firstAvailable = firstSlot;
    this.slotsPerEpoch = slotsPerEpoch;
    this.#finality = finality;
    this.#time = (slot) => Math.floor(now?.() ?? time + (slot - firstSlot) * SLOT_SECONDS) + this.#timeOffset;
    this.#nextSlot = firstSlot;
    this.genesisHash = this.svm.latestBlockhash();
    this.svm.setEpochSchedule(new EpochSchedule(BigInt(slotsPerEpoch), BigInt(slotsPerEpoch), false, 0n, 0n));
    // litesvm has a faucet whose key differs between runs: without it, equal options make equal chains.
    for (const { address: key } of this.#readOwned(SYSTEM_PROGRAM_ADDRESS)) this.#write(walletAccount(key, 0n));
    for (const leader of this.leaders) this.#write(walletAccount(leader, GENESIS_LAMPORTS / 1000n));
    this.produceBlock();
    this.commit("finalized");
  }

  /** The latest block. */
  get tip(): Block {
    return this.#blocks.at(-1) as Block;
  }

  /** The blocks of the chain, oldest first. */
  get blocks(): readonly Block[] {
    return this.#blocks;
  }

  /** Calls listeners about blocks until the returned function is called. */
  listen(events: ChainEvents): () => void {
    this.#listeners.add(events);
    return () => this.#listeners.delete(events);
  }

  /** Returns the latest block at a commitment. */
  blockAt(commitment: Commitment): Block {
    if (commitment === "processed") return this.tip;
    return this.#bySlot.get(commitment === "confirmed" ? this.#confirmed : this.#finalized) as Block;
  }

  /** Returns how final a slot is; undefined for slots that have no block. */
  commitmentOf(slot: number): Commitment | undefined {
    if (!this.#bySlot.has(slot)) return this.#open?.slot === slot ? "processed" : undefined;
    if (slot <= this.#finalized) return "finalized";
    return slot <= this.#confirmed ? "confirmed" : "processed";
  }

  block(slot: number): Block | undefined {
    return this.#bySlot.get(slot);
  }

  transaction(signature: string): ExecutedTransaction | undefined {
    return this.#bySignature.get(signature);
  }

  /** Returns the transactions of blocks that name an address, oldest first. */
  transactionsOf(address: string): readonly ExecutedTransaction[] {
    return this.#byAddress.get(address) ?? [];
  }

  /** Returns the leader of a slot: four slots in a row. */
  leaderOf(slot: number): Address {
    return this.leaders[Math.floor(slot / 4) % this.leaders.length] ?? DEFAULT_LEADER;
  }

  epochOf(slot: number): number {
    return Math.floor(slot / this.slotsPerEpoch);
  }

  /** Returns the state of the accounts after the latest block of a commitment. */
  accountsAt(commitment: Commitment): AccountView {
    const { slot } = this.blockAt(commitment);
    const before = new Map<string, Account | undefined>();
    const later = this.#blocks.slice(this.#blocks.findLastIndex((block) => block.slot <= slot) + 1);
    for (const block of later) {
      for (const [key, account] of block.before) if (!before.has(key)) before.set(key, account);
    }
    if (commitment !== "processed" || this.#isHeld) {
      for (const [key, account] of this.#open?.before ?? []) if (!before.has(key)) before.set(key, account);
    }
    return {
      slot,
      get: (key) => (before.has(key) ? before.get(key) : this.#read(key)),
      ownedBy: (program) => [
        ...this.#readOwned(program).filter(({ address: key }) => !before.has(key)),
        ...[...before.values()].flatMap((account) => (account?.owner === program ? [account] : [])),
      ],
    };
  }

  /** Whether transactions with a blockhash can be sent still. */
  isBlockhashValid(blockhash: string, commitment: Commitment = "processed"): boolean {
    const height = this.blockAt(commitment).height;
    const block = this.#blocks.findLast((candidate) => candidate.blockhash === blockhash);
    return block !== undefined && block.height <= height && height - block.height <= MAX_AGE;
  }

  /**
   * Executes a transaction and puts it in a block. Throws its error when it cannot be in one; a transaction that fails
   * while it executes is in a block, and pays.
   */
  send(bytes: Uint8Array): ExecutedTransaction {
    const decoded = decodeTransaction(bytes);
    const refusal = this.#refusal(decoded);
    if (refusal !== null) throw new TransactionRefused(refusal);
    this.#open ??= this.#openBlock();
    try {
      const executed = this.#execute(decoded, this.#open);
      this.#open.transactions.push(executed);
      this.#bySignature.set(executed.signatures[0] ?? "", executed);
      return executed;
    } finally {
      if (!this.#isHeld) this.#closeBlock();
    }
  }

  /** Executes a transaction without effect. */
  simulate(decoded: DecodedTransaction, { sigVerify = false, replaceBlockhash = false } = {}): Simulation {
    const loaded = loadAddresses(decoded, (key) => this.#read(key)) ?? { writable: [], readonly: [] };
    const fees = feesOf(decoded);
    const nothing = { logs: [], computeUnits: 0n, returnData: undefined, inner: [], accounts: new Map() };
    const keys = keysOf(decoded, loaded);
    const fee = fees.base + fees.priority;
    const refusal = replaceBlockhash ? null : this.#refusal(decoded);
    if (refusal !== null) return { ...nothing, err: refusal, keys, fee };
    this.svm.withSigverify(sigVerify);
    try {
      const result = this.svm.simulateTransaction(decoded.transaction);
      const meta = result.meta();
      const accounts = new Map<string, Account>();
      if (!(result instanceof FailedTransactionMetadata)) {
        for (const account of result.postAccounts()) accounts.set(account.address, fromEncoded(account));
      }
      const err = result instanceof FailedTransactionMetadata ? wireError(result) : null;
      return { ...effectsOf(meta), err, keys, fee, accounts };
    } finally {
      this.svm.withSigverify(true);
    }
  }

  /** Sends the transactions of a function in one block. */
  async inOneBlock<T>(send: () => T | Promise<T>): Promise<T> {
    this.#isHeld = true;
    try {
      return await send();
    } finally {
      this.#isHeld = false;
      if (this.#open !== undefined) this.#closeBlock();
    }
  }

  /** Adds blocks without transactions. */
  produceBlock(count = 1): Block {
    for (let index = 0; index < count; index += 1) {
      this.#open ??= this.#openBlock();
      this.#closeBlock();
    }
    return this.tip;
  }

  /** Lets slots pass without blocks. */
  skipSlots(count: number): void {
    this.#nextSlot += count;
  }

  /** Skips to the first slot of the next epoch and produces its block. */
  advanceEpoch(count = 1): Block {
    this.#nextSlot = (this.epochOf(this.#nextSlot) + count) * this.slotsPerEpoch;
    return this.produceBlock();
  }

  /** Lets time pass between slots. */
  advanceTime(seconds: number): void {
    this.#timeOffset += seconds;
  }

  /** Plants an account, in a separate block without transactions. Accounts without lamports are removed. */
  setAccount(account: Account): void {
    this.#open ??= this.#openBlock();
    this.#remember(account.address);
    this.#write(account);
    this.owners.add(account.owner);
    if (!this.#isHeld) this.#closeBlock();
  }

  /** Adds rewards to the next block and to the balances of their accounts. */
  reward(rewards: readonly Omit<Reward, "postBalance">[]): Block {
    this.#open ??= this.#openBlock();
    const open = this.#open;
    for (const { pubkey, lamports, rewardType, commission } of rewards) {
      open.rewards.push({ pubkey, lamports, rewardType, commission, postBalance: this.#credit(pubkey, lamports) });
    }
    return this.#closeBlock();
  }

  /** Makes blocks final up to a slot (default: the latest). */
  commit(level: "confirmed" | "finalized", slot: number = this.tip.slot): void {
    for (const each of level === "finalized" ? (["confirmed", "finalized"] as const) : (["confirmed"] as const)) {
      const from = each === "confirmed" ? this.#confirmed : this.#finalized;
      if (slot <= from) continue;
      const first = this.#blocks.findLastIndex((block) => block.slot <= from) + 1;
      const blocks = this.#blocks.slice(first).filter((block) => block.slot <= slot);
      const last = blocks.at(-1)?.slot ?? from;
      if (each === "confirmed") this.#confirmed = last;
      else this.#finalized = last;
      for (const listener of this.#listeners) listener.committed?.(each, blocks);
    }
  }

  /**
   * Drops the blocks after a slot, as when the cluster chooses another fork, and returns their transactions. Blocks that
   * follow have other blockhashes, and other slots unless `reuseSlots` is set. Throws when a block is finalized.
   */
  rollback(toSlot: number, { reuseSlots = false } = {}): readonly ExecutedTransaction[] {
    if (toSlot < this.#finalized)
      throw new Error(`Slot ${this.#finalized} is finalized: cannot roll back to ${toSlot}`);
    const dropped = this.#blocks.splice(this.#blocks.findLastIndex((block) => block.slot <= toSlot) + 1);
    for (const block of dropped.toReversed()) {
      this.#bySlot.delete(block.slot);
      for (const [key, account] of block.before) this.#restore(key, account);
      for (const transaction of block.transactions.toReversed()) {
        this.#bySignature.delete(transaction.signatures[0] ?? "");
        for (const { pubkey } of transaction.keys) this.#byAddress.get(pubkey)?.pop();
      }
    }
    if (reuseSlots) this.#nextSlot = this.tip.slot + 1;
    this.#confirmed = Math.min(this.#confirmed, this.tip.slot);
    // Blocks with the same slots must not have the same hashes.
    this.svm.expireBlockhash();
    for (const listener of this.#listeners) listener.dropped?.(dropped);
    return dropped.flatMap(({ transactions }) => transactions);
  }

  #openBlock(): OpenBlock {
    const slot = this.#nextSlot;
    this.#nextSlot = slot + 1;
    const epoch = this.epochOf(slot);
    const epochStart = this.#time(Math.max(epoch * this.slotsPerEpoch, this.firstSlot));
    this.svm.setClock(
      new Clock(BigInt(slot), BigInt(epochStart), BigInt(epoch), BigInt(epoch + 1), BigInt(this.#time(slot))),
    );
    this.#setSlotHashes();
    return { slot, transactions: [], before: new Map(), rewards: [] };
  }

  /** The newest first; with one for the genesis, so that lookup tables can be created in the first block. */
  #setSlotHashes(): void {
    const latest = this.#blocks.slice(-MAX_SLOT_HASHES).toReversed();
    const hashes = latest.map(({ slot, blockhash }) => ({ slot: BigInt(slot), hash: blockhash }));
    this.svm.setSlotHashes(hashes.length > 0 ? hashes : [{ slot: 0n, hash: this.genesisHash }]);
  }

  #closeBlock(): Block {
    const { slot, transactions, rewards, before } = this.#open as OpenBlock;
    const leader = this.leaderOf(slot);
    const fees = transactions.map((transaction) => feesOf(transaction));
    const earned = fees.reduce((sum, { base, priority }) => sum + base / 2n + priority, 0n);
    if (earned > 0n) {
      const postBalance = this.#credit(leader, earned);
      rewards.push({ pubkey: leader, lamports: earned, postBalance, rewardType: "Fee", commission: null });
    }
    this.#open = undefined;
    const parent = this.#blocks.at(-1);
    this.svm.expireBlockhash();
    const block: Block = {
      slot,
      parentSlot: parent?.slot ?? Math.max(slot - 1, 0),
      height: (parent?.height ?? this.firstSlot - 1) + 1,
      blockhash: this.svm.latestBlockhash(),
      previousBlockhash: parent?.blockhash ?? this.genesisHash,
      time: Number(this.svm.getClock().unixTimestamp),
      leader,
      rewards,
      transactions,
      before,
    };
    this.#blocks.push(block);
    this.#bySlot.set(slot, block);
    for (const transaction of transactions) {
      for (const { pubkey } of transaction.keys) {
        const named = this.#byAddress.get(pubkey);
        if (named === undefined) this.#byAddress.set(pubkey, [transaction]);
        else named.push(transaction);
      }
    }
    for (const listener of this.#listeners) listener.block?.(block);
    this.#age();
    return block;
  }

  /** Confirms and finalizes blocks that are old enough. */
  #age(): void {
    if (this.#finality === "manual") return;
    const { confirmed, finalized } = this.#finality === "instant" ? { confirmed: 0, finalized: 0 } : this.#finality;
    const at = (depth: number) => this.#blocks.at(-1 - depth)?.slot;
    const [older, oldest] = [at(confirmed), at(finalized)];
    if (older !== undefined) this.commit("confirmed", older);
    if (oldest !== undefined) this.commit("finalized", oldest);
  }

  /** Returns why a transaction cannot be in a block, before anything executes; null when nothing is against it. */
  #refusal(decoded: DecodedTransaction): Wire {
    if (this.#bySignature.has(decoded.signatures[0] ?? "")) return "AlreadyProcessed";
    if (loadAddresses(decoded, (key) => this.#read(key)) === undefined) return "AddressLookupTableNotFound";
    if (this.isBlockhashValid(decoded.blockhash) || this.#nonceOf(decoded) !== undefined) return null;
    return "BlockhashNotFound";
  }

  /** Returns the nonce account whose current value a transaction uses instead of a blockhash. */
  #nonceOf({ instructions, staticKeys, blockhash }: DecodedTransaction): Account | undefined {
    const [first] = instructions;
    const isAdvance = first?.data[0] === 4 && staticKeys[first.programIdIndex] === SYSTEM_PROGRAM_ADDRESS;
    const nonce = isAdvance ? this.#read(staticKeys[first.accounts[0] ?? -1] ?? "") : undefined;
    if (nonce?.data.length !== 80) return undefined;
    return getBase58Decoder().decode(nonce.data.subarray(40, 72)) === blockhash ? nonce : undefined;
  }

  #execute(decoded: DecodedTransaction, open: OpenBlock): ExecutedTransaction {
    const loaded = loadAddresses(decoded, (key) => this.#read(key)) ?? { writable: [], readonly: [] };
    const keys = keysOf(decoded, loaded);
    const nonce = this.isBlockhashValid(decoded.blockhash) ? undefined : this.#nonceOf(decoded);
    const time = Number(this.svm.getClock().unixTimestamp);
    const read = () => keys.map(({ pubkey }) => this.#read(pubkey));
    const before = read();
    const mintsBefore = new Map(before.map((account) => [account?.address ?? "", account]));
    const preTokenBalances = tokenBalances(before, (key) => mintsBefore.get(key) ?? this.#read(key), time);
    for (const { pubkey, writable } of keys) if (writable) this.#remember(pubkey);
    const result = this.svm.sendTransaction(decoded.transaction);
    const err = result instanceof FailedTransactionMetadata ? wireError(result) : null;
    if (!isRecorded(err)) throw new TransactionRefused(err);
    if (err !== null && nonce !== undefined) this.#advanceNonce(nonce);
    const after = read();
    const { base, priority } = feesOf(decoded);
    const effects = effectsOf(result instanceof FailedTransactionMetadata ? result.meta() : result);
    return {
      ...decoded,
      ...effects,
      slot: open.slot,
      index: open.transactions.length,
      keys,
      loaded,
      err,
      fee: base + priority,
      preBalances: before.map((account) => account?.lamports ?? 0n),
      postBalances: after.map((account) => account?.lamports ?? 0n),
      preTokenBalances,
      postTokenBalances: tokenBalances(after, (key) => this.#read(key), time),
      costUnits: costOf(decoded, keys, effects.computeUnits),
    };
  }

  /** A failed transaction uses up its nonce; litesvm leaves it as it was. */
  #advanceNonce(nonce: Account): void {
    const current = this.#read(nonce.address);
    if (current === undefined || !Buffer.from(current.data).equals(Buffer.from(nonce.data))) return;
    const blockhash = getBase58Encoder().encode(asBlockhash(this.svm.latestBlockhash()));
    const data = new Uint8Array(current.data);
    data.set(createHash("sha256").update("DURABLE_NONCE").update(new Uint8Array(blockhash)).digest(), 40);
    this.#write({ ...current, data });
  }

  #credit(key: Address, amount: bigint): bigint {
    this.#remember(key);
    const account = this.#read(key) ?? walletAccount(key, 0n);
    this.#write({ ...account, lamports: account.lamports + amount });
    return account.lamports + amount;
  }

  /** Notes how an account is before the open block changes it. */
  #remember(key: Address): void {
    const before = this.#open?.before;
    if (before !== undefined && !before.has(key)) before.set(key, this.#read(key));
  }

  #restore(key: string, account: Account | undefined): void {
    this.#write(account ?? walletAccount(address(key), 0n));
  }

  #read(key: string): Account | undefined {
    if (!isAddressText(key)) return undefined;
    const account = this.svm.getAccount(key as Address);
    if (!account.exists || account.lamports === 0n) return undefined;
    this.owners.add(account.programAddress);
    return fromEncoded(account);
  }

  #readOwned(program: string): readonly Account[] {
    return this.svm
      .getProgramAccounts(program as Address)
      .flatMap((account) => (account.lamports > 0n ? [fromEncoded(account)] : []));
  }

  #write({ address: key, lamports, owner, executable, data }: Account): void {
    const space = BigInt(data.length);
    const account = { address: key, lamports: asLamports(lamports), programAddress: owner, executable, data, space };
    this.svm.setAccount(account as EncodedAccount);
  }
}

/** A transaction that is not part of the chain. */
export class TransactionRefused extends RpcError {
  readonly err: Wire;
  constructor(err: Wire) {
    const text = typeof err === "string" ? err : JSON.stringify(err);
    super(-32002, `Transaction simulation failed: ${text}`, { err });
    this.err = err;
  }
}

const isAddressText = (key: string) => {
  try {
    return getAddressEncoder().encode(key as Address).length === 32;
  } catch {
    return false;
  }
};

const fromEncoded = (account: EncodedAccount): Account => ({
  address: account.address,
  lamports: account.lamports,
  owner: account.programAddress,
  executable: account.executable,
  data: new Uint8Array(account.data),
});

/** Reads what litesvm reports of an execution. */
function effectsOf(meta: TransactionMetadata) {
  const returned = meta.returnData();
  const inner = meta.innerInstructions().map((group, index) => ({
    index,
    instructions: group.map((instruction): CompiledInstruction => {
      const compiled = instruction.instruction();
      return {
        programIdIndex: compiled.programIdIndex(),
        accounts: [...compiled.accounts()],
        data: new Uint8Array(compiled.data()),
        stackHeight: instruction.stackHeight(),
      };
    }),
  }));
  return {
    inner: inner.filter(({ instructions }) => instructions.length > 0),
    logs: meta.logs(),
    computeUnits: meta.computeUnitsConsumed(),
    returnData:
      returned.data().length > 0
        ? { programId: address(getBase58Decoder().decode(returned.programId())), data: new Uint8Array(returned.data()) }
        : undefined,
  };
}
