/** A builder for simulated chains, which tracks balances so that all facts are consistent. */
import { base58 } from "@scure/base";
import { DEFI_ACTIVITIES, NFT_ACTIVITIES, TRANSFER_ACTIVITIES } from "../../src/catalogue/constants.ts";
import { NATIVE_SOL } from "../../src/catalogue/samples.ts";
import type {
  AccountKind,
  BalanceChangeFact,
  DefiFact,
  Facts,
  InstructionFact,
  NftActivityFact,
  RewardFact,
  SourceBlock,
  TransactionFact,
  TransferFact,
} from "../../src/chain/ledger/source/source.ts";

type Mutable<T> = { -readonly [K in keyof T]: T[K] };
/** Facts collected for a block. */
export type FactLists = { [K in keyof Facts]-?: Mutable<NonNullable<Facts[K]>[number]>[] };

const bytesOf = (text: string, length: number) => {
  const bytes = new Uint8Array(length).fill(7);
  bytes.set(new TextEncoder().encode(text).slice(0, length));
  return bytes;
};
/** Returns an address derived from a name. */
export const addressFor = (name: string): string => base58.encode(bytesOf(name, 32));
/** Returns a signature derived from a name. */
export const signatureFor = (name: string): string => base58.encode(bytesOf(name, 64));

/** Returns the index of a transfer activity. */
const transferType = (name: string): number => TRANSFER_ACTIVITIES.indexOf(`ACTIVITY_SPL_${name}` as never);
/** Returns the index of a DeFi activity. */
export const defiType = (name: string): number => DEFI_ACTIVITIES.indexOf(`ACTIVITY_${name}` as never);
/** Returns the index of an NFT activity. */
export const nftType = (name: string): number => NFT_ACTIVITIES.indexOf(`ACTIVITY_NFT_${name}` as never);

/** Programs of tokens, wallets and staking. */
export const PROGRAMS = {
  loader: "NativeLoader1111111111111111111111111111111",
  system: "11111111111111111111111111111111",
  token: "TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA",
  associated: "ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL",
  stake: "Stake11111111111111111111111111111111111111",
  vote: "Vote111111111111111111111111111111111111111",
} as const;

/** Rent of a token account in lamports. */
export const RENT = 2_039_280n;
const FEE = 5000;

/** Options of a transaction. */
export interface TransactionOptions {
  readonly fee?: number;
  readonly priorityFee?: number;
  readonly error?: string;
  readonly vote?: boolean;
  readonly version?: number;
  readonly logs?: readonly string[];
  /** Whether it is the first transaction of the chain, which pays no fee. */
  readonly genesis?: boolean;
}

/** A transaction under construction. */
export class Draft {
  readonly instructions: InstructionFact[] = [];
  readonly transfers: TransferFact[] = [];
  readonly defi: DefiFact[] = [];
  readonly nfts: NftActivityFact[] = [];
  readonly deltas = new Map<string, { account: string; owner: string; token: string; by: bigint }>();

  /** Adds an instruction called by `parent` and returns its index. */
  call(program: string, type: string, { parsedType = type, parent = -1, info = {} } = {}): number {
    this.instructions.push({ program, type, parsedType, parent, info });
    return this.instructions.length - 1;
  }

  /** Changes a balance. */
  change(account: string, owner: string, token: string, by: bigint): void {
    const key = `${account} ${token}`;
    this.deltas.set(key, { account, owner, token, by: (this.deltas.get(key)?.by ?? 0n) + by });
  }

  /** Transfers SOL. */
  sol(from: string, to: string, amount: bigint, type = "TRANSFER", parent = -1): void {
    const instruction = this.call(PROGRAMS.system, "transfer", { parent, info: { lamports: Number(amount) } });
    const value = amount / 10n; // 100 dollars
    this.transfers.push({ instruction, type: transferType(type), from, to, token: NATIVE_SOL, amount, value });
    this.change(from, from, NATIVE_SOL, -amount);
    this.change(to, to, NATIVE_SOL, amount);
  }

  /** Transfers tokens between token accounts; without one of the two accounts, it is a mint or a burn. */
  token(
    token: string,
    from: Side,
    to: Side,
    amount: bigint,
    { value = 0n, type = "TRANSFER", parent = -1 } = {},
  ): void {
    const instruction = this.call(PROGRAMS.token, type === "TRANSFER" ? "transferChecked" : type.toLowerCase(), {
      parent,
    });
    const [fromAccount, toAccount] = [
      from.account && { fromAccount: from.account },
      to.account && { toAccount: to.account },
    ];
    const sides = { from: from.owner, to: to.owner, ...fromAccount, ...toAccount };
    this.transfers.push({ instruction, type: transferType(type), ...sides, token, amount, value });
    if (from.account) this.change(from.account, from.owner, token, -amount);
    if (to.account) this.change(to.account, to.owner, token, amount);
  }
}

/** One side of a token transfer. */
export interface Side {
  readonly owner: string;
  readonly account?: string;
}

/** Builds blocks. */
export class Chain {
  readonly blocks: SourceBlock[] = [];
  readonly #balances = new Map<string, bigint>();
  readonly #leader: string;
  #facts: FactLists = emptyFacts();
  #transactions: TransactionFact[] = [];
  #rewards: RewardFact[] = [];
  #fees = 0n;

  constructor(leader: string) {
    this.#leader = leader;
  }

  /** Facts of the current block. */
  get facts(): FactLists {
    return this.#facts;
  }

  /** Adds an account and returns its address. */
  account(name: string, kind: AccountKind = "system_account", ownerProgram: string = PROGRAMS.system): string {
    const address = name.length > 30 ? name : addressFor(name);
    const flags = kind === "program" ? { executable: true } : kind === "pool" ? { onCurve: false } : {};
    this.#facts.accounts.push({ address, kind, ownerProgram, ...flags });
    return address;
  }

  /** Adds a token account of an owner and returns its address. */
  tokenAccount(owner: string, token: string, name = `${owner.slice(0, 12)}-${token.slice(-12)}`): string {
    const address = this.account(name, "token_account", PROGRAMS.token);
    this.#facts.tokenAccounts.push({ address, token, owner });
    return address;
  }

  /** Adds a transaction and returns its signature. */
  transaction(
    name: string,
    payer: string,
    options: TransactionOptions = {},
    write: (draft: Draft) => void = () => {},
  ): string {
    const draft = new Draft();
    const fee = options.genesis ? 0 : (options.fee ?? FEE) + (options.priorityFee ?? 0);
    draft.change(payer, payer, NATIVE_SOL, -BigInt(fee));
    write(draft);
    const changes = [...draft.deltas.values()].filter(({ by }) => by !== 0n).map((delta) => this.#apply(delta));
    const { error, version, logs } = options;
    const signature = signatureFor(name);
    this.#transactions.push({
      ...{ signature, fee, priorityFee: options.priorityFee ?? 0, isVote: options.vote ?? false, computeUnits: 1500 },
      ...(error !== undefined && { error }),
      ...(version !== undefined && { version }),
      ...(logs !== undefined && { logs }),
      keys: keysOf(payer, draft),
      ...{ instructions: draft.instructions, transfers: draft.transfers, changes, defi: draft.defi, nfts: draft.nfts },
    });
    this.#fees += BigInt(fee - (options.genesis ? 0 : (options.fee ?? FEE) / 2));
    return signature;
  }

  /** Adds a reward at the end of the block. */
  reward(account: string, kind: RewardFact["kind"], amount: bigint, epoch: number, commission?: number): void {
    const { post } = this.#apply({ account, owner: account, token: NATIVE_SOL, by: amount });
    this.#rewards.push({ account, kind, epoch, amount, post, ...(commission !== undefined && { commission }) });
  }

  /** Finishes the block. */
  close(time: number): void {
    const height = this.blocks.length + 1;
    const slot = 1000 + height * 2;
    const feeRewards = this.#fees;
    if (feeRewards > 0n) this.reward(this.#leader, "fee", feeRewards, 1);
    this.blocks.push({
      ...{ slot, height, time, hash: addressFor(`block ${height}`), parentSlot: height === 1 ? slot - 1 : slot - 2 },
      parentHash: addressFor(`block ${height - 1}`),
      ...{ leader: this.#leader, feeRewards, facts: this.#facts },
      ...{ transactions: this.#transactions, rewards: this.#rewards },
    });
    this.#facts = emptyFacts();
    this.#transactions = [];
    this.#rewards = [];
    this.#fees = 0n;
  }

  /** Returns the balance of an account in a token. */
  balance(account: string, token: string = NATIVE_SOL): bigint {
    return this.#balances.get(`${account} ${token}`) ?? 0n;
  }

  #apply({
    account,
    owner,
    token,
    by,
  }: {
    account: string;
    owner: string;
    token: string;
    by: bigint;
  }): BalanceChangeFact {
    const pre = this.balance(account, token);
    const post = pre + by;
    if (post < 0n) throw new Error(`${account} would have ${post} of ${token}.`);
    this.#balances.set(`${account} ${token}`, post);
    return { account, owner, token, pre, post };
  }
}

const emptyFacts = (): FactLists => ({
  accounts: [],
  labels: [],
  programs: [],
  platforms: [],
  tokens: [],
  tokenAccounts: [],
  stakeAccounts: [],
  lookupEntries: [],
  pools: [],
  nftCollections: [],
  nfts: [],
  voters: [],
  openingBalances: [],
  openingSupplies: [],
});

function keysOf(payer: string, draft: Draft): TransactionFact["keys"] {
  const written = new Set([payer]);
  for (const { from, to, fromAccount, toAccount } of draft.transfers) {
    for (const address of [from, to, fromAccount, toAccount]) if (address) written.add(address);
  }
  for (const { account } of draft.deltas.values()) written.add(account);
  for (const { routes } of draft.defi) for (const { pool } of routes) written.add(pool);
  for (const { nft } of draft.nfts) written.add(nft);
  const named = draft.instructions.flatMap(({ program, info = {} }) => [program, ...Object.values(info)]);
  const mints = draft.transfers.map(({ token }) => token).filter((token) => token !== NATIVE_SOL);
  const read = new Set(
    [...mints, ...named].filter((name): name is string => typeof name === "string" && !written.has(name)),
  );
  return [
    ...[...written].map((address) => ({ address, signer: address === payer, writable: true })),
    ...[...read].map((address) => ({ address, signer: false, writable: false })),
  ];
}
