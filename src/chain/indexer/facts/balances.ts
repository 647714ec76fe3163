/** Balances of a transaction: the changes that it causes, and the balances in between, instruction by instruction. */
import { NATIVE_SOL, WRAPPED_SOL } from "../../../catalogue/index.ts";
import type { BalanceChangeFact, HoldingFact, KeyUse } from "../../ledger/index.ts";
import { type ChainTransaction, rentOf, type TokenBalance } from "../../solana/index.ts";
import type { ChainKnowledge } from "./knowledge.ts";

/** The mints whose tokens are the lamports of their accounts: of the Token Program and of Token-2022. */
const NATIVE_MINTS: ReadonlySet<string> = new Set([WRAPPED_SOL, "9pan9bMn5HatX4EJdBwg9VgCa7Uz5HL8N1m5D3NdXej9"]);

interface TokenAccountState {
  readonly mint: string;
  owner: string | undefined;
  amount: bigint;
  open: boolean;
}

/** The balances of a transaction while its instructions are replayed. */
export class RunningBalances {
  readonly #transaction: ChainTransaction;
  readonly #knowledge: ChainKnowledge;
  readonly #lamports = new Map<string, bigint>();
  readonly #tokens = new Map<string, TokenAccountState>();
  /** Lamports of wrapped SOL accounts that are not tokens. */
  readonly #reserves = new Map<string, bigint>();

  constructor(transaction: ChainTransaction, knowledge: ChainKnowledge) {
    this.#transaction = transaction;
    this.#knowledge = knowledge;
    transaction.keys.forEach(({ address }, n) => {
      this.#lamports.set(address, transaction.preBalances[n] ?? 0n);
    });
    for (const balance of transaction.tokenBalances) {
      if (balance.existedBefore) this.#begin(balance);
      if (NATIVE_MINTS.has(balance.mint)) this.#reserves.set(balance.account, this.#reserveOf(balance));
    }
  }

  #begin({ account, mint, ownerBefore, owner, pre }: TokenBalance): void {
    const known = ownerBefore ?? this.#knowledge.tokenAccounts.get(account)?.owner ?? owner;
    this.#tokens.set(account, { mint, owner: known, amount: pre, open: true });
  }

  #reserveOf({ account, existedBefore, pre, post }: TokenBalance): bigint {
    const { keys, preBalances, postBalances } = this.#transaction;
    const n = keys.findIndex(({ address }) => address === account);
    return existedBefore ? (preBalances[n] ?? 0n) - pre : (postBalances[n] ?? 0n) - post;
  }

  lamports(account: string): bigint {
    return this.#lamports.get(account) ?? 0n;
  }

  moveLamports(from: string | undefined, to: string | undefined, amount: bigint): void {
    if (from !== undefined) this.#lamports.set(from, this.lamports(from) - amount);
    if (to !== undefined) this.#lamports.set(to, this.lamports(to) + amount);
  }

  /** Returns what the lamports of an account have yet to change by. */
  unexplainedLamports(account: string): bigint {
    const { keys, postBalances } = this.#transaction;
    const n = keys.findIndex(({ address }) => address === account);
    return (postBalances[n] ?? 0n) - this.lamports(account);
  }

  /** Returns what the amount of a token account has yet to change by. */
  unexplainedTokens(account: string): bigint {
    const post = this.#transaction.tokenBalances.find((balance) => balance.account === account)?.post ?? 0n;
    return post - (this.#state(account)?.amount ?? 0n);
  }

  /** The state of a token account; undefined for other accounts. */
  token(account: string): Readonly<TokenAccountState> | undefined {
    return this.#state(account);
  }

  #state(account: string): TokenAccountState | undefined {
    const state = this.#tokens.get(account);
    if (state) return state;
    const known = this.#knowledge.tokenAccounts.get(account);
    if (!known || known.closed) return undefined;
    const assumed = { mint: known.token, owner: known.owner, amount: 0n, open: true };
    this.#tokens.set(account, assumed);
    return assumed;
  }

  /** Opens a token account, or initializes it again for another mint. */
  open(account: string, mint: string, owner: string): void {
    this.#tokens.set(account, { mint, owner, amount: 0n, open: true });
    // A new account of wrapped SOL contains the lamports beyond its rent.
    if (NATIVE_MINTS.has(mint)) this.sync(account);
  }

  /** Records the size of a new account, from which its rent follows. */
  allocate(account: string, space: bigint): void {
    if (!this.#reserves.has(account)) this.#reserves.set(account, rentOf(space));
  }

  /** Brings the amount of a wrapped SOL account up to its lamports. */
  sync(account: string): void {
    const state = this.#state(account);
    const reserve = this.#reserves.get(account);
    if (state && reserve !== undefined) state.amount = this.lamports(account) - reserve;
  }

  /** Adds to the amount of a token account; wrapped SOL is lamports too. */
  addTokens(account: string, amount: bigint): void {
    const state = this.#state(account);
    if (!state) return;
    state.amount += amount;
    if (NATIVE_MINTS.has(state.mint)) this.#lamports.set(account, this.lamports(account) + amount);
  }

  setOwner(account: string, owner: string): void {
    const state = this.#state(account);
    if (state) state.owner = owner;
  }

  close(account: string): void {
    const state = this.#state(account);
    if (!state) return;
    state.open = false;
    state.amount = 0n;
  }

  /** The token accounts that the transaction touched, by address. */
  get tokenAccounts(): ReadonlyMap<string, Readonly<TokenAccountState>> {
    return this.#tokens;
  }
}

/**
 * Returns the changes that a transaction causes, SOL first, in the order of the keys. The lamports of an account are SOL,
 * wrapped or not: the sum of the changes of SOL is the fee.
 */
export function collectChanges(transaction: ChainTransaction, knowledge: ChainKnowledge): readonly BalanceChangeFact[] {
  const { keys, preBalances, postBalances, tokenBalances } = transaction;
  const changes: BalanceChangeFact[] = [];
  keys.forEach(({ address }, n) => {
    const [pre, post] = [preBalances[n] ?? 0n, postBalances[n] ?? 0n];
    if (pre !== post) changes.push({ account: address, owner: address, token: NATIVE_SOL, pre, post });
  });
  for (const balance of tokenBalances) {
    const { account, mint, ownerBefore, owner = ownerBefore, pre, post } = balance;
    if (pre === post) continue;
    const known = owner ?? knowledge.tokenAccounts.get(account)?.owner ?? account;
    changes.push({ account, owner: known, token: mint, pre, post });
  }
  return changes;
}

/** Returns the balances of token accounts that a transaction names and does not change. */
export function collectHoldings(
  { tokenBalances }: ChainTransaction,
  knowledge: ChainKnowledge,
): readonly HoldingFact[] {
  return tokenBalances
    .filter(({ pre, post, existsAfter }) => pre === post && existsAfter)
    .map(({ account, mint, owner, post }) => ({
      account,
      owner: owner ?? knowledge.tokenAccounts.get(account)?.owner ?? account,
      token: mint,
      amount: post,
    }));
}

/** Returns the keys of a transaction with their lamports, unless a change says them. */
export function collectKeys(transaction: ChainTransaction): readonly KeyUse[] {
  const { keys, preBalances, postBalances } = transaction;
  return keys.map(({ address, signer, writable, fromLookupTable }, n) => {
    const [pre, post] = [preBalances[n] ?? 0n, postBalances[n] ?? 0n];
    return {
      address,
      signer,
      writable,
      ...(fromLookupTable && { lookupTable: true }),
      ...(pre === post && postBalances[n] !== undefined && { lamports: post }),
    };
  });
}
