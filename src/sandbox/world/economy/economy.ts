/** The economy: all accounts and the current block. Only its transactions and rewards move balances. */
import { Buffer } from "node:buffer";
import { NATIVE_SOL, WRAPPED_SOL } from "../../../catalogue/index.ts";
import type {
  AccountFact,
  AccountKind,
  Facts,
  LabelFact,
  NftCollectionFact,
  NftFact,
  PlatformFact,
  PoolFact,
  ProgramFact,
  RewardFact,
  SourceBlock,
  StakeAccountFact,
  TokenAccountFact,
  TokenFact,
  TransactionFact,
} from "../../source/source.ts";
import { decodeAddress, randomAddress, randomSignature } from "../base58.ts";
import { NATIVE_LOADER, NATIVE_PROGRAMS, PROGRAMS, type ProgramName } from "../data/programs.ts";
import { isOnCurve, keyPairAddress, programAddress } from "../derive.ts";
import type { Random } from "../random.ts";
import { Account, Holding, type Stake, Token, type TokenSpec } from "./accounts.ts";
import type { TransactionHost } from "./host.ts";
import { type SendOptions, Transaction } from "./transaction.ts";

/** Slots of an epoch. */
export const SLOTS_PER_EPOCH = 432_000;
const LOADER = PROGRAMS.loader.address;

/** The position of a block in the chain. */
export interface BlockPosition {
  readonly slot: number;
  readonly height: number;
  /** Unix seconds. */
  readonly time: number;
  readonly parentSlot: number;
  /** Hash of the parent; random by default, for a block that the ledger does not contain. */
  readonly parentHash?: string | undefined;
}

/** Facts of the current block; actors may add labels, collections and NFTs. */
export interface BlockFacts extends Required<Facts> {
  readonly accounts: AccountFact[];
  readonly labels: LabelFact[];
  readonly programs: ProgramFact[];
  readonly platforms: PlatformFact[];
  readonly tokens: TokenFact[];
  readonly tokenAccounts: TokenAccountFact[];
  readonly stakeAccounts: StakeAccountFact[];
  readonly pools: PoolFact[];
  readonly nftCollections: NftCollectionFact[];
  readonly nfts: NftFact[];
}

const emptyFacts = (): BlockFacts => ({
  accounts: [],
  labels: [],
  programs: [],
  platforms: [],
  tokens: [],
  tokenAccounts: [],
  stakeAccounts: [],
  pools: [],
  nftCollections: [],
  nfts: [],
});

interface RewardPayment {
  readonly account: Account;
  readonly amount: bigint;
  readonly commission: number | undefined;
  readonly stake: Stake | undefined;
}

/** All accounts and the current block of a world. */
export class Economy implements TransactionHost {
  readonly random: Random;
  /** The well-known programs. */
  readonly programs: Readonly<Record<ProgramName, Account>>;
  /** Native SOL. */
  readonly sol: Token;
  /** Wrapped SOL. */
  readonly wrapped: Token;
  /** The current block. */
  position: BlockPosition = { slot: 0, height: 0, time: 0, parentSlot: 0 };
  facts: BlockFacts = emptyFacts();
  readonly #accounts = new Map<string, Account>();
  #lastTransactionId = 0;
  #transactions: TransactionFact[] = [];
  #payments: RewardPayment[] = [];
  #leaderFees = 0;

  constructor(random: Random) {
    this.random = random;
    const solAccount = this.account("mint", NATIVE_LOADER, { address: NATIVE_SOL });
    this.programs = Object.fromEntries(
      Object.entries(PROGRAMS).map(([name, { address }]) => {
        const native = NATIVE_PROGRAMS.includes(name as ProgramName);
        const program = this.account("program", native ? NATIVE_LOADER : LOADER, { address });
        program.computeUnits = native ? 150 : address.startsWith("Token") ? 4500 : 24_000;
        return [name, program];
      }),
    ) as Record<ProgramName, Account>;
    const spec = { kind: "fungible", decimals: 9, symbol: "SOL", reputation: 100 } as const;
    const tokenProgram = this.programs.token;
    this.sol = new Token(solAccount, { ...spec, name: "Solana" }, this.programs.system);
    const wrapped = this.account("mint", tokenProgram.address, { address: WRAPPED_SOL });
    this.wrapped = new Token(wrapped, { ...spec, name: "Wrapped SOL" }, tokenProgram);
  }

  /** Epoch of the current block. */
  get epoch(): number {
    return Math.floor(this.position.slot / SLOTS_PER_EPOCH);
  }

  /** Number of transactions in the current block. */
  get transactionCount(): number {
    return this.#transactions.length;
  }

  /**
   * Returns the account of an address, or a new account with a key pair, which signs for its creation.
   * @param suffix base58 digits at the end of a new address
   */
  account(
    kind: AccountKind,
    ownerProgram: string,
    { address, suffix = "" }: { address?: string | undefined; suffix?: string } = {},
  ): Account {
    const { random } = this;
    if (address === undefined) {
      return new Account(
        keyPairAddress(random, () => randomAddress(random, suffix)),
        kind,
        ownerProgram,
        true,
      );
    }
    const known = this.#accounts.get(address);
    if (known) return known;
    const account = new Account(address, kind, ownerProgram, isOnCurve(decodeAddress(address)));
    // Only fixed addresses are ever looked up again.
    this.#accounts.set(address, account);
    return account;
  }

  /** Returns the wallet of an address, or a new wallet. */
  wallet(address?: string): Account {
    return this.account("system_account", this.programs.system.address, { address });
  }

  /** Returns an account of a program that signs for it, usually of the kind "account" or "pool". */
  programAccount(kind: AccountKind, program: Account, address?: string): Account {
    if (address !== undefined) return this.account(kind, program.address, { address });
    return this.derivedAccount(kind, program, [this.#randomSeed()]);
  }

  /** Returns the account that a program derives from seeds; `owner` is the program that owns its data. */
  derivedAccount(
    kind: AccountKind,
    program: Account,
    seeds: readonly (string | Uint8Array)[],
    owner: Account = program,
  ): Account {
    const bytes = seeds.map((seed) => (typeof seed === "string" ? Buffer.from(seed) : seed));
    return new Account(programAddress(bytes, program.bytes), kind, owner.address, false);
  }

  #randomSeed(): Buffer {
    const seed = Buffer.alloc(8);
    seed.writeUInt32LE(this.random.word());
    seed.writeUInt32LE(this.random.word(), 4);
    return seed;
  }

  /** Returns the owner's associated token account, which is not open yet: see {@link Transaction.openTokenAccount}. */
  createAssociated(owner: Account, token: Token): Holding {
    const { associatedToken } = this.programs;
    const seeds = [owner.bytes, token.program.bytes, token.account.bytes];
    return new Holding(this.derivedAccount("token_account", associatedToken, seeds, token.program), token, owner, true);
  }

  /** Returns another token account, which is not open yet: derived by a program, or by default with a key pair. */
  createVault(owner: Account, token: Token, program?: Account): Holding {
    const account = program
      ? this.derivedAccount("token_account", program, [this.#randomSeed()], token.program)
      : this.account("token_account", token.program.address);
    return new Holding(account, token, owner, false);
  }

  /** Returns a token that is older than the ledger; its supply is minted like that of other tokens. */
  createToken(address: string, spec: TokenSpec, program: Account, authority?: Account): Token {
    const createToken = new Token(this.account("mint", program.address, { address }), spec, program);
    createToken.authority = authority;
    return createToken;
  }

  /** Publishes an account, once. Transactions do so for their keys. */
  publishAccount(account: Account): void {
    if (account.published) return;
    account.published = true;
    const { address, kind, ownerProgram, onCurve } = account;
    const fact: AccountFact = { address, kind, ownerProgram, onCurve };
    this.facts.accounts.push(kind === "program" ? { ...fact, executable: true } : fact);
  }

  /** Publishes off-chain information about an account. */
  label(account: Account, label: Omit<LabelFact, "address">): void {
    this.publishAccount(account);
    this.facts.labels.push({ ...label, address: account.address });
  }

  /** Publishes the state of a token. */
  publishToken(createToken: Token): void {
    this.facts.tokens.push(createToken.fact);
  }

  /** Publishes the state of a token account, unless its owner and whether it is open are published already. */
  publishTokenAccount(createHolding: Holding): void {
    const { account, token: createToken, owner, open: openBlock } = createHolding;
    if (createHolding.publishedOwner === owner && createHolding.publishedOpen === openBlock) return;
    createHolding.publishedOwner = owner;
    createHolding.publishedOpen = openBlock;
    const fact: TokenAccountFact = { address: account.address, token: createToken.address, owner: owner.address };
    this.facts.tokenAccounts.push(openBlock ? fact : { ...fact, closed: true });
  }

  /** Publishes the state of a stake account. */
  publishStake(stake: Stake): void {
    const { deactivationEpoch } = stake;
    for (const account of [stake.staker, stake.withdrawer, stake.voter]) this.publishAccount(account);
    this.facts.stakeAccounts.push({
      address: stake.account.address,
      staker: stake.staker.address,
      withdrawer: stake.withdrawer.address,
      voter: stake.voter.address,
      delegated: stake.delegated,
      activationEpoch: stake.activationEpoch,
      ...(deactivationEpoch !== undefined && { deactivationEpoch }),
    });
  }

  /** Begins a transaction. The previous one must have ended. */
  begin(payer: Account, options: SendOptions = {}): Transaction {
    return new Transaction(
      this,
      ++this.#lastTransactionId,
      options.signature ?? randomSignature(this.random),
      payer,
      options,
    );
  }

  /** Adds a finished transaction to the block; {@link Transaction} calls it. */
  addTransaction(fact: TransactionFact, baseFee: number): void {
    this.#transactions.push(fact);
    this.#leaderFees += baseFee / 2 + fact.priorityFee;
  }

  /** Queues newly issued SOL for the end of the block: rewards of stakes, and commission for vote accounts. */
  queueReward(account: Account, amount: bigint, commission?: number, stake?: Stake): void {
    this.#payments.push({ account, amount, commission, stake });
  }

  /** Returns a number of compute units near the given one: runs of the same program differ a little. */
  jitter(units: number): number {
    return Math.floor(units * (0.86 + (this.random.word() & 0xff) * 0.0011));
  }

  /** Begins a block. */
  openBlock(position: BlockPosition): void {
    this.position = position;
  }

  /** Adds the transaction that creates the initial lamports. */
  createGenesis(balances: readonly (readonly [account: Account, lamports: bigint])[]): void {
    for (const account of [this.sol.account, this.programs.system]) this.publishAccount(account);
    const changes = balances.map(([account, lamports]) => {
      this.publishAccount(account);
      account.lamports = lamports;
      const { address } = account;
      return { account: address, owner: address, token: NATIVE_SOL, pre: 0n, post: lamports };
    });
    const keys = balances.map(([{ address }]) => ({ address, signer: false, writable: true }));
    const fact = { signature: randomSignature(this.random), fee: 0, priorityFee: 0, computeUnits: 0, keys, changes };
    this.addTransaction({ ...fact, instructions: [], transfers: [], defi: [], nfts: [] }, 0);
  }

  /** Ends the block and returns it; undefined without transactions. */
  closeBlock(leader: Account): SourceBlock | undefined {
    if (this.#transactions.length === 0) return undefined;
    this.publishAccount(leader);
    const rewards: RewardFact[] = [];
    const feeRewards = BigInt(this.#leaderFees);
    if (feeRewards > 0n) {
      leader.lamports += feeRewards;
      rewards.push({
        account: leader.address,
        kind: "fee",
        epoch: this.epoch,
        amount: feeRewards,
        post: leader.lamports,
      });
    }
    for (const payment of this.#payments) rewards.push(this.#payReward(payment));
    const block: SourceBlock = {
      ...this.position,
      parentHash: this.position.parentHash ?? randomAddress(this.random),
      hash: randomAddress(this.random),
      leader: leader.address,
      feeRewards,
      facts: this.facts,
      transactions: this.#transactions,
      rewards,
    };
    this.facts = emptyFacts();
    this.#transactions = [];
    this.#payments = [];
    this.#leaderFees = 0;
    return block;
  }

  #payReward({ account, amount, commission, stake }: RewardPayment): RewardFact {
    this.publishAccount(account);
    account.lamports += amount;
    if (stake) {
      stake.delegated += amount;
      this.publishStake(stake);
    }
    const fact = { account: account.address, kind: "staking", epoch: this.epoch - 1, amount } as const;
    return { ...fact, post: account.lamports, ...(commission !== undefined && { commission }) };
  }
}
