/**
 * A chain as an indexer describes it, without what the simulated world knows: accounts without an introduction, tokens
 * without a name or decimals, amounts up to 2^64 − 1, no prices. Its own balances are what a ledger has to say.
 */
import { base58 } from "@scure/base";
import { DEFI_ACTIVITIES, TRANSFER_ACTIVITIES } from "../../src/catalogue/constants.ts";
import { NATIVE_SOL } from "../../src/catalogue/samples.ts";
import {
  type BalanceChangeFact,
  type DefiFact,
  encodePositions,
  type Facts,
  type HoldingFact,
  type InstructionFact,
  type KeyUse,
  type RewardFact,
  type SourceBlock,
  type TokenAccountFact,
  type TokenFact,
  type TransactionFact,
  type TransferFact,
} from "../../src/chain/ledger/source/source.ts";

const SYSTEM = "11111111111111111111111111111111";
const TOKEN = "TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA";
const COMPUTE = "ComputeBudget111111111111111111111111111111";
const VOTE = "Vote111111111111111111111111111111111111111";
const FEE = 5000n;
const RENT = 2_039_280n;
/** The highest amount. */
export const MAX_AMOUNT = 2n ** 64n - 1n;
const START = 1_800_000_000;
const transferType = (name: string) => TRANSFER_ACTIVITIES.indexOf(`ACTIVITY_SPL_${name}` as never);
const SWAP = DEFI_ACTIVITIES.indexOf("ACTIVITY_TOKEN_SWAP" as never);

/** Returns an address or a signature for a name. */
export const keyFor = (name: string, length = 32): string => {
  const bytes = new Uint8Array(length).fill(9);
  bytes.set(new TextEncoder().encode(name).slice(0, length));
  return base58.encode(bytes);
};

/** A program that no fact describes. */
export const UNKNOWN_PROGRAM = keyFor("unknown program");

interface Holding {
  owner: string;
  readonly mint: string;
  amount: bigint;
}

/** The tokens by name: one whose supply is the highest amount, one that nothing is known about, and a plain one. */
export const MINTS = { big: keyFor("big mint"), bare: keyFor("bare mint"), plain: keyFor("plain mint") } as const;
/** A pool of the plain and the big token. */
export const POOL = keyFor("pool");

function announce(facts: Facts, account: TokenAccountFact): void {
  Object.assign(facts, { tokenAccounts: [...(facts.tokenAccounts ?? []), account] });
}

/** A transaction that is being written. */
class Draft {
  readonly keys = new Map<string, { signer: boolean; writable: boolean }>();
  readonly instructions: InstructionFact[] = [];
  readonly transfers: TransferFact[] = [];
  readonly defi: DefiFact[] = [];
  readonly lamports = new Map<string, bigint>();
  readonly tokens = new Map<string, { owner: string; mint: string; pre: bigint }>();

  key(address: string, { signer = false, writable = true } = {}): this {
    const known = this.keys.get(address);
    this.keys.set(address, {
      signer: signer || (known?.signer ?? false),
      writable: writable || (known?.writable ?? false),
    });
    return this;
  }

  call(program: string, type: string, accounts: readonly string[], parent = -1): number {
    for (const account of accounts) this.key(account);
    this.key(program, { writable: false });
    const addresses = [...this.keys.keys()];
    const positions = encodePositions(accounts.map((account) => addresses.indexOf(account)));
    const data = Uint8Array.from([type.length, accounts.length, 0, 255, 7, 7, 7, 7]);
    this.instructions.push({ program, type, parsedType: type, parent, accounts: positions, data });
    return this.instructions.length - 1;
  }
}

/** Options of a chain. */
export interface ObservedChainOptions {
  readonly seed?: number;
  readonly wallets?: number;
  /** Whether transactions have logs, as those of nodes have. */
  readonly logs?: boolean;
}

/** A chain whose next blocks depend on its seed and its past. */
export class ObservedChain {
  slot = 1000;
  time = START;
  lamports = new Map<string, bigint>();
  holdings = new Map<string, Holding>();
  supplies = new Map<string, bigint>();
  readonly #wallets: number;
  readonly #logs: boolean;
  #random: number;
  #number = 0;
  /** The token accounts that have existed, by mint. */
  #byMint = new Map<string, readonly string[]>();
  #hashes: string[] = [keyFor("hash 999")];
  /** The token accounts that were closed at some time. */
  #closed = new Set<string>();

  constructor({ seed = 1, wallets = 20, logs = false }: ObservedChainOptions = {}) {
    this.#random = seed;
    this.#wallets = wallets;
    this.#logs = logs;
    for (let n = 0; n < wallets; n++) this.lamports.set(this.wallet(n), BigInt(n) * 10n ** 9n + 10n ** 12n);
    this.lamports.set(this.wallet(0), 23_900_000n * 10n ** 9n + 1n);
    for (const program of [SYSTEM, TOKEN, COMPUTE, VOTE, UNKNOWN_PROGRAM]) this.lamports.set(program, 1n);
    this.#open(MINTS.big, this.wallet(0), MAX_AMOUNT - 1000n);
    this.#open(MINTS.big, POOL, 1000n);
    this.#open(MINTS.plain, this.wallet(1), 10n ** 15n);
    this.#open(MINTS.plain, POOL, 10n ** 9n);
    this.#open(MINTS.bare, this.wallet(2), 2n ** 63n);
    for (const mint of [MINTS.big, MINTS.plain, MINTS.bare]) this.lamports.set(mint, 1_461_600n);
  }

  /** Returns an independent copy. */
  fork(seed: number): ObservedChain {
    const copy = new ObservedChain({ seed, wallets: this.#wallets, logs: this.#logs });
    Object.assign(copy, { slot: this.slot, time: this.time });
    copy.lamports = new Map(this.lamports);
    copy.holdings = new Map([...this.holdings].map(([address, holding]) => [address, { ...holding }]));
    copy.supplies = new Map(this.supplies);
    copy.#number = this.#number;
    copy.#byMint = new Map(this.#byMint);
    copy.#hashes = [...this.#hashes];
    copy.#closed = new Set(this.#closed);
    return copy;
  }

  wallet(n: number): string {
    return keyFor(`wallet ${n}`);
  }

  /** Returns what exists before the next block. The balances of the bare token are not complete. */
  opening(): Facts {
    const tokens: TokenFact[] = [
      { address: MINTS.big, kind: "fungible", name: "Big", symbol: "BIG", decimals: 9, program: TOKEN },
      { address: MINTS.plain, kind: "fungible", decimals: 6, program: TOKEN, mintAuthority: this.wallet(1) },
    ];
    const [wallets, accounts] = [[...this.lamports], [...this.holdings]];
    return {
      accounts: [
        ...[SYSTEM, TOKEN, COMPUTE, VOTE].map((address) => ({ address, kind: "program" as const, executable: true })),
        ...tokens.map(({ address }) => ({ address, kind: "mint" as const, ownerProgram: TOKEN })),
      ],
      programs: [
        { address: SYSTEM, name: "system" },
        { address: TOKEN, name: "spl-token" },
        { address: COMPUTE, name: "ComputeBudget" },
      ],
      tokens,
      tokenAccounts: accounts.map(([address, { owner, mint }]) => ({ address, owner, token: mint })),
      openingBalances: [
        ...wallets.map(([account, amount]) => ({ account, token: NATIVE_SOL, amount })),
        ...accounts.map(([account, { owner, mint, amount }]) => ({ account, owner, token: mint, amount })),
      ],
      openingSupplies: [MINTS.big, MINTS.plain].map((token) => ({
        token,
        amount: this.supplies.get(token) ?? 0n,
        allBalances: true,
      })),
    };
  }

  /** Returns the next block. */
  block(transactions = 5, { skip = 0 } = {}): SourceBlock {
    const slot = this.slot + skip;
    const facts: { -readonly [K in keyof Facts]: NonNullable<Facts[K]>[number][] } = { tokenAccounts: [], pools: [] };
    if (this.#number === 0) {
      facts.pools?.push({
        ...{ address: POOL, program: UNKNOWN_PROGRAM, token1: MINTS.plain, token2: MINTS.big },
        ...{ vault1: this.#account(MINTS.plain, POOL), vault2: this.#account(MINTS.big, POOL) },
      });
    }
    const list = Array.from({ length: transactions }, (_, index) => this.#transaction(index, facts as Facts));
    const [parentHash, hash] = [this.#hashes.at(-1) as string, keyFor(`hash ${slot} ${this.#number}`)];
    this.#hashes = [...this.#hashes.slice(-10), hash];
    const rewards = this.#rewards();
    const block: SourceBlock = {
      ...{ slot, parentSlot: this.slot - 1, hash, parentHash, height: slot - 100, time: this.time },
      ...{ leader: keyFor("leader"), feeRewards: rewards[0]?.amount ?? 0n, facts: facts as Facts },
      ...{ transactions: list, rewards },
    };
    this.slot = slot + 1;
    this.time += 1 + Math.floor(this.#next() * 3) + (this.#next() < 0.05 ? 40_000 : 0);
    return block;
  }

  #next(): number {
    this.#random = (Math.imul(this.#random, 1_664_525) + 1_013_904_223) >>> 0;
    return this.#random / 2 ** 32;
  }

  #pick<T>(list: readonly T[]): T {
    return list[Math.floor(this.#next() * list.length)] as T;
  }

  #account(mint: string, owner: string): string {
    return keyFor(`${mint.slice(0, 12)} ${owner.slice(0, 15)}`);
  }

  #open(mint: string, owner: string, amount: bigint): void {
    const account = this.#account(mint, owner);
    this.#hold(account, { owner, mint, amount });
    this.lamports.set(account, RENT);
    this.supplies.set(mint, (this.supplies.get(mint) ?? 0n) + amount);
  }

  #rewards(): readonly RewardFact[] {
    const kinds = ["fee", "rent", "staking", "voting"] as const;
    return kinds.slice(0, Math.floor(this.#next() * 5)).map((kind, n) => {
      const account = kind === "fee" ? keyFor("leader") : this.wallet(n);
      const amount = kind === "rent" ? -1000n : 2500n;
      const post = (this.lamports.get(account) ?? 0n) + amount;
      this.lamports.set(account, post);
      return { account, kind, epoch: 3, amount, post, ...(kind === "voting" && { commission: 100 }) };
    });
  }

  #transaction(index: number, facts: Facts): TransactionFact {
    const draft = new Draft();
    const payer = this.wallet(Math.floor(this.#next() * Math.min(this.#wallets, 10 + this.#number)));
    draft.key(payer, { signer: true });
    this.#move(draft, payer, -FEE);
    const isFailed = this.#next() < 0.1;
    draft.call(COMPUTE, "setComputeUnitLimit", []);
    const action = this.#pick([this.#sendSol, this.#sendTokens, this.#sendTokens, this.#mint, this.#swap, this.#close]);
    if (isFailed) draft.call(UNKNOWN_PROGRAM, "unknown", [payer]);
    else action.call(this, draft, payer, facts);
    return this.#finish(draft, index, isFailed);
  }

  /** Adds lamports to an account. */
  #move(draft: Draft, account: string, amount: bigint): void {
    const before = this.lamports.get(account) ?? 0n;
    if (!draft.lamports.has(account)) draft.lamports.set(account, before);
    this.lamports.set(account, before + amount);
  }

  #sendSol(draft: Draft, payer: string): void {
    const to = this.wallet(Math.floor(this.#next() * this.#wallets * 2));
    const amount = BigInt(Math.floor(this.#next() * 1e9));
    const instruction = draft.call(SYSTEM, "transfer", [payer, to]);
    this.#move(draft, payer, -amount);
    this.#move(draft, to, amount);
    draft.transfers.push({ instruction, type: 0, from: payer, to, token: NATIVE_SOL, amount });
  }

  /** Changes the balance of a token account. */
  #add(draft: Draft, account: string, amount: bigint): void {
    const holding = this.holdings.get(account) as Holding;
    if (!draft.tokens.has(account))
      draft.tokens.set(account, { owner: holding.owner, mint: holding.mint, pre: holding.amount });
    holding.amount += amount;
  }

  /** Returns a token account that is open, of a mint or of any. */
  #holding(mint?: string): string {
    const list = mint === undefined ? [...this.#byMint.values()].flat() : (this.#byMint.get(mint) ?? []);
    for (;;) {
      const account = this.#pick(list);
      if (this.holdings.has(account)) return account;
    }
  }

  /** Opens a token account. */
  #hold(account: string, holding: Holding): void {
    this.holdings.set(account, holding);
    const known = this.#byMint.get(holding.mint) ?? [];
    if (!known.includes(account)) this.#byMint.set(holding.mint, [...known, account]);
  }

  /**
   * Returns a token account of a wallet. If it has none, no fact announces the new one, unless a fact announced that an
   * account of this address was closed.
   */
  #receiver(draft: Draft, payer: string, mint: string, facts: Facts): string {
    const owner = this.wallet(Math.floor(this.#next() * this.#wallets * 2));
    const account = this.#account(mint, owner);
    if (this.holdings.has(account)) return account;
    this.#hold(account, { owner, mint, amount: 0n });
    if (this.#closed.has(account)) announce(facts, { address: account, token: mint, owner });
    this.#move(draft, payer, -RENT);
    this.#move(draft, account, RENT);
    return account;
  }

  #sendTokens(draft: Draft, payer: string, facts: Facts): void {
    const mint = this.#pick(Object.values(MINTS));
    const from = this.#holding(mint);
    const to = this.#receiver(draft, payer, mint, facts);
    const { owner, amount: available } = this.holdings.get(from) as Holding;
    const amount = this.#next() < 0.3 ? available : (available * BigInt(Math.floor(this.#next() * 1000))) / 1000n;
    const instruction = draft.call(TOKEN, "transferChecked", [from, mint, to, owner]);
    this.#add(draft, from, -amount);
    this.#add(draft, to, amount);
    const toOwner = (this.holdings.get(to) as Holding).owner;
    draft.transfers.push({
      ...{ instruction, type: 0, from: owner, fromAccount: from, to: toOwner, toAccount: to },
      ...{ token: mint, amount },
    });
  }

  #mint(draft: Draft, payer: string, facts: Facts): void {
    const isNew = this.#next() < 0.3;
    const mint = isNew ? keyFor(`mint ${this.#number}`) : MINTS.plain;
    if (isNew) {
      this.#move(draft, payer, -RENT);
      this.#move(draft, mint, RENT);
      const token: TokenFact = {
        address: mint,
        kind: "fungible",
        decimals: 0,
        created: this.#signature(),
        program: TOKEN,
      };
      Object.assign(facts, { tokens: [...(facts.tokens ?? []), token] });
    }
    const account = this.#receiver(draft, payer, mint, facts);
    const { owner, amount: available } = this.holdings.get(account) as Holding;
    const isBurn = !isNew && this.#next() < 0.5 && available > 0n;
    const amount = isBurn ? available / 2n + 1n : 123_456n;
    const type = transferType(isBurn ? "BURN" : "MINT");
    const instruction = draft.call(TOKEN, isBurn ? "burn" : "mintTo", [mint, account, payer]);
    this.#add(draft, account, isBurn ? -amount : amount);
    this.supplies.set(mint, (this.supplies.get(mint) ?? 0n) + (isBurn ? -amount : amount));
    const sides = isBurn
      ? { from: owner, fromAccount: account, to: mint }
      : { from: payer, to: owner, toAccount: account };
    draft.transfers.push({ instruction, type, ...sides, token: mint, amount });
  }

  #swap(draft: Draft, payer: string, facts: Facts): void {
    const [vault1, vault2] = [this.#account(MINTS.plain, POOL), this.#account(MINTS.big, POOL)];
    const [from, to] = [
      this.#receiver(draft, payer, MINTS.plain, facts),
      this.#receiver(draft, payer, MINTS.big, facts),
    ];
    const amount1 = (this.holdings.get(from) as Holding).amount / 2n;
    const amount2 = (this.holdings.get(vault2) as Holding).amount / 3n;
    const instruction = draft.call(UNKNOWN_PROGRAM, "swap", [payer, POOL, from, vault1, vault2, to]);
    const moves = [
      [from, vault1, MINTS.plain, amount1],
      [vault2, to, MINTS.big, amount2],
    ] as const;
    for (const [source, target, token, amount] of moves) {
      const inner = draft.call(TOKEN, "transfer", [source, target, payer], instruction);
      this.#add(draft, source, -amount);
      this.#add(draft, target, amount);
      const [fromOwner, toOwner] = [source, target].map((account) => (this.holdings.get(account) as Holding).owner);
      draft.transfers.push({
        ...{ instruction: inner, type: 0, from: String(fromOwner), fromAccount: source },
        ...{ to: String(toOwner), toAccount: target, token, amount },
      });
    }
    const legs = { token1: MINTS.plain, amount1, token2: MINTS.big, amount2 };
    const route = { pool: POOL, program: UNKNOWN_PROGRAM, isTrade: true, ...legs };
    draft.defi.push({
      ...{ instruction, type: SWAP, from: payer, to: payer, platform: UNKNOWN_PROGRAM, ...legs, routes: [route] },
    });
  }

  /** Closes an empty token account, or hands one over. */
  #close(draft: Draft, payer: string, facts: Facts): void {
    const account = this.#holding();
    const holding = this.holdings.get(account) as Holding;
    if (holding.owner === POOL) return;
    const closed = holding.amount === 0n;
    const { mint: token } = holding;
    const owner = closed ? holding.owner : this.wallet(Math.floor(this.#next() * this.#wallets));
    draft.call(TOKEN, closed ? "closeAccount" : "setAuthority", [account, payer, holding.owner]);
    announce(facts, { address: account, token, owner, ...(closed && { closed }) });
    if (!closed) {
      holding.owner = owner;
      return;
    }
    this.#move(draft, payer, this.lamports.get(account) ?? 0n);
    this.#move(draft, account, -(this.lamports.get(account) ?? 0n));
    this.holdings.delete(account);
    this.#closed.add(account);
  }

  #signature(): string {
    return keyFor(`signature ${this.#number} ${this.slot}`, 64);
  }

  #finish(draft: Draft, index: number, isFailed: boolean): TransactionFact {
    const changes: BalanceChangeFact[] = [...draft.lamports].map(([account, pre]) => {
      const post = this.lamports.get(account) ?? 0n;
      return { account, owner: account, token: NATIVE_SOL, pre, post };
    });
    for (const [account, { owner, mint, pre }] of draft.tokens) {
      changes.push({ account, owner, token: mint, pre, post: this.holdings.get(account)?.amount ?? 0n });
    }
    const keys: KeyUse[] = [...draft.keys].map(([address, flags]) => ({
      ...{ address, ...flags, lamports: this.lamports.get(address) ?? 0n },
    }));
    const holdings: HoldingFact[] = keys.flatMap(({ address: account }) => {
      const holding = draft.tokens.has(account) ? undefined : this.holdings.get(account);
      return holding ? [{ account, owner: holding.owner, token: holding.mint, amount: holding.amount }] : [];
    });
    const { instructions, transfers, defi } = draft;
    const fact: TransactionFact = {
      ...{
        signature: this.#signature(),
        fee: FEE,
        priorityFee: 0n,
        index,
        version: 0,
        recentBlockhash: this.#pick(this.#hashes),
      },
      ...{ keys, instructions, transfers, changes, holdings, defi, nfts: [], costUnits: 3000, computeUnits: 1500 },
      ...(isFailed && { error: '{"InstructionError":[1,{"Custom":6001}]}' }),
      ...(this.#logs && { logs: instructions.flatMap(({ program }) => logsOf(program)) }),
    };
    this.#number++;
    return fact;
  }
}

const logsOf = (program: string): readonly string[] => [
  `Program ${program} invoke [1]`,
  `Program log: Instruction: Something`,
  `Program ${program} consumed 4645 of 200000 compute units`,
  `Program ${program} success`,
];
