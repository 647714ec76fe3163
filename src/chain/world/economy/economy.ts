/** The economy: all accounts and the current block. Only its transactions and rewards move balances. */
import { NATIVE_SOL, PROGRAM, WRAPPED_SOL } from "../../../catalogue/index.ts";
import { type Facts, type LabelFact, type LeaderSchedule, type RewardFact, VOTE_FEE } from "../../ledger/index.ts";
import { randomAddress, randomSignature } from "../addresses.ts";
import type { WorldBlock, WorldToken, WorldTransaction } from "../facts.ts";
import type { Random } from "../random.ts";
import { type Account, AccountFactory, type Holding, type Stake, Token, type TokenSpec } from "./accounts.ts";
import type { SendOptions, TransactionHost } from "./draft.ts";
import { LookupTables } from "./lookup-tables.ts";
import { Transaction } from "./transaction.ts";

/** Slots of an epoch. */
export const SLOTS_PER_EPOCH = 432_000;

/** The position of a block in the chain. */
export interface BlockPosition {
  readonly slot: number;
  readonly height: number;
  /** Unix seconds. */
  readonly time: number;
  readonly parentSlot: number;
  /** The account that earns the fees, and the number of votes. */
  readonly leader: Account;
  readonly votes: number;
  /** Hash of the parent; random by default, for a block that the ledger does not contain. */
  readonly parentHash?: string | undefined;
}

type Mutable<Lists> = { [Name in keyof Lists]: Lists[Name] extends readonly (infer Fact)[] ? Fact[] : never };

/** Facts of the current block; actors may add labels, collections and NFTs. */
export type BlockFacts = Mutable<Required<Omit<Facts, "tokens">>> & {
  readonly tokens: WorldToken[];
};

const emptyFacts = (): BlockFacts => ({
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

interface RewardPayment {
  readonly account: Account;
  readonly amount: bigint;
  readonly commission: number | undefined;
  readonly stake: Stake | undefined;
}

/** All accounts and the current block of a world. */
export class Economy extends AccountFactory implements TransactionHost {
  readonly sol: Token;
  readonly wrapped: Token;
  readonly lookupTables: LookupTables;
  position!: BlockPosition & { readonly parentHash: string };
  facts: BlockFacts = emptyFacts();
  #lastTransactionId = 0;
  #transactions: WorldTransaction[] = [];
  #payments: RewardPayment[] = [];
  #schedule: LeaderSchedule | undefined;
  /** The number of each voter in the schedule, and the last slot that its lamports include, by identity. */
  readonly #voters = new Map<string, { readonly n: number; slot: number }>();
  #leaderFees = 0;

  constructor(random: Random) {
    super(random);
    this.lookupTables = new LookupTables(this);
    const solAccount = this.account("mint", PROGRAM.nativeLoader, { address: NATIVE_SOL });
    const spec = { kind: "fungible", decimals: 9, symbol: "SOL", reputation: 100 } as const;
    const tokenProgram = this.programs.token;
    this.sol = new Token(solAccount, { ...spec, name: "Solana" }, this.programs.system);
    const wrapped = this.account("mint", tokenProgram.address, { address: WRAPPED_SOL });
    this.wrapped = new Token(wrapped, { ...spec, name: "Wrapped SOL" }, tokenProgram);
  }

  get epoch(): number {
    return Math.floor(this.position.slot / SLOTS_PER_EPOCH);
  }

  /** Number of transactions in the current block, without votes. */
  get transactionCount(): number {
    return this.#transactions.length;
  }

  /** Returns a token that is older than the ledger; its supply is minted like that of other tokens. */
  createToken(address: string, spec: TokenSpec, program: Account, authority?: Account): Token {
    return new Token(this.account("mint", program.address, { address }), spec, program, undefined, authority);
  }

  /** Publishes an account, once. Transactions do so for their keys. */
  publishAccount(account: Account): void {
    if (account.published) return;
    account.published = true;
    const { address, kind, ownerProgram, onCurve, subject } = account;
    const executable = kind === "program";
    this.facts.accounts.push({ address, kind, ownerProgram, onCurve, executable, subject: subject?.address });
  }

  label(account: Account, label: Omit<LabelFact, "address">): void {
    this.publishAccount(account);
    this.facts.labels.push({ ...label, address: account.address });
  }

  publishToken(token: Token): void {
    token.published = true;
    this.facts.tokens.push(token.fact);
  }

  /**
   * Publishes the state of a token account, unless it is published already, or a failed transaction created its token.
   */
  publishTokenAccount(holding: Holding): void {
    const { account, token, owner, open, withheld } = holding;
    const isKnown = holding.publishedOwner === owner && holding.publishedOpen === open;
    if (isKnown && holding.publishedWithheld === withheld) return;
    if (!token.published && !open) return;
    holding.publishedOwner = owner;
    holding.publishedOpen = open;
    holding.publishedWithheld = withheld;
    const fact = { address: account.address, token: token.address, owner: owner.address, closed: !open };
    this.facts.tokenAccounts.push(withheld === 0n ? fact : { ...fact, withheld });
  }

  publishStake(stake: Stake): void {
    for (const account of [stake.staker, stake.withdrawer, stake.voter]) this.publishAccount(account);
    this.facts.stakeAccounts.push({
      address: stake.account.address,
      staker: stake.staker.address,
      withdrawer: stake.withdrawer.address,
      voter: stake.voter.address,
      delegated: stake.delegated,
      activationEpoch: stake.activationEpoch,
      deactivationEpoch: stake.deactivationEpoch,
    });
  }

  /** Begins a transaction. The previous one must have ended. */
  begin(payer: Account, options: SendOptions = {}): Transaction {
    const signature = options.signature ?? randomSignature(this.random);
    this.settleVotes(payer);
    return new Transaction(this, ++this.#lastTransactionId, signature, payer, options);
  }

  /** Sends a transaction with what `build` adds to it. Returns whether it succeeded. */
  send(payer: Account, build: (tx: Transaction) => void, options?: SendOptions): boolean {
    const tx = this.begin(payer, options);
    build(tx);
    return tx.commit();
  }

  /** Adds a finished transaction to the block; {@link Transaction} calls it. */
  addTransaction(fact: WorldTransaction, baseFee: number): void {
    this.#transactions.push(fact);
    this.#leaderFees += baseFee / 2 + fact.priorityFee;
  }

  /** Queues newly issued SOL for the end of the block: rewards of stakes, and commission for vote accounts. */
  queueReward(account: Account, amount: bigint, commission?: number, stake?: Stake): void {
    this.#payments.push({ account, amount, commission, stake });
  }

  /**
   * Sets who pays for votes and earns from them.
   * @param identities in the order of the schedule
   * @param slot the last one that the lamports of accounts include
   */
  setVoters(schedule: LeaderSchedule, identities: readonly string[], slot: number): void {
    this.#schedule = schedule;
    for (const [n, identity] of identities.entries()) this.#voters.set(identity, { n, slot });
  }

  /** Adds what votes have moved, by default before the current block, to the lamports of an account. */
  protected settleVotes(account: Account, slot: number = this.position.slot - 1): void {
    const voter = this.#voters.get(account.address);
    if (!voter || !this.#schedule) return;
    account.lamports += this.#schedule.earnings(voter.n, slot, voter.slot);
    voter.slot = slot;
  }

  openBlock(position: BlockPosition): void {
    this.position = { ...position, parentHash: position.parentHash ?? randomAddress(this.random) };
  }

  /** Adds lamports that exist before the first block. */
  createGenesis(balances: readonly (readonly [account: Account, lamports: bigint])[]): void {
    for (const account of [this.sol.account, this.programs.system]) this.publishAccount(account);
    for (const [account, lamports] of balances) {
      this.publishAccount(account);
      account.lamports = lamports;
      this.facts.openingBalances.push({ account: account.address, token: NATIVE_SOL, amount: lamports });
    }
    const amount = balances.reduce((sum, [, lamports]) => sum + lamports, 0n);
    this.facts.openingSupplies.push({ token: NATIVE_SOL, amount, allBalances: true });
  }

  /** Ends the block. */
  closeBlock(): WorldBlock {
    const { leader, votes, ...position } = this.position;
    if (this.#transactions.length > 0) this.lookupTables.extend();
    this.publishAccount(leader);
    const rewards: RewardFact[] = [];
    const feeRewards = BigInt(this.#leaderFees + (votes * VOTE_FEE) / 2);
    this.settleVotes(leader, position.slot);
    if (feeRewards > 0n) {
      leader.lamports += BigInt(this.#leaderFees);
      const fee = { account: leader.address, kind: "fee", epoch: this.epoch, amount: feeRewards } as const;
      rewards.push({ ...fee, post: leader.lamports });
    }
    for (const payment of this.#payments) rewards.push(this.#payReward(payment));
    const block: WorldBlock = {
      ...position,
      hash: randomAddress(this.random),
      leader: leader.address,
      feeRewards,
      facts: this.facts,
      transactions: this.#transactions,
      totals: { transactions: this.#transactions.length + votes, votes },
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
    return { ...fact, post: account.lamports, commission };
  }
}
