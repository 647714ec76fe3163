/** The accounts that a transaction touches: its keys, the balances before it, and how to roll it back. */
import { NATIVE_SOL } from "../../../catalogue/index.ts";
import type { BalanceChangeFact, KeyUse } from "../../ledger/index.ts";
import { type Account, type Holding, LOOKUP, SIGNER, WRITABLE } from "./accounts.ts";
import type { TransactionHost } from "./host.ts";

/** Ranks of key flags: signers, writable keys, the others; keys from lookup tables last. */
const RANKS: readonly number[] = Array.from({ length: 8 }, (_, flags) =>
  flags & LOOKUP ? (flags & WRITABLE ? 4 : 5) : flags & SIGNER ? (flags & WRITABLE ? 0 : 1) : flags & WRITABLE ? 2 : 3,
);

/** Number of ranks, and the first rank of keys from lookup tables, which are in the order of the tables. */
const RANK_COUNT = 6;
const FIRST_LOOKUP_RANK = 4;

/** The accounts and token accounts that one transaction touches, with their state before it. */
export class AccountJournal {
  readonly #host: TransactionHost;
  /** Number of the transaction, unique in its world. */
  readonly #id: number;
  readonly #accounts: Account[] = [];
  readonly #holdings: Holding[] = [];
  readonly #rollbackSteps: (() => void)[] = [];

  constructor(host: TransactionHost, id: number) {
    this.#host = host;
    this.#id = id;
  }

  /** Adds an account to the keys; flags add up ({@link SIGNER}, {@link WRITABLE}). */
  addKey(account: Account, flags: number): void {
    if (account.touchedBy !== this.#id) {
      account.touchedBy = this.#id;
      account.preLamports = account.lamports;
      account.flags = 0;
      this.#accounts.push(account);
      this.publishAccount(account);
    }
    account.flags |= flags;
  }

  /** Publishes an account that is not a key. */
  publishAccount(account: Account): void {
    if (!account.published) this.#host.publishAccount(account);
  }

  /** Records a token account before it changes. */
  touch(holding: Holding): void {
    this.addKey(holding.account, WRITABLE);
    if (holding.touchedBy === this.#id) return;
    holding.touchedBy = this.#id;
    holding.preAmount = holding.amount;
    holding.preOpen = holding.open;
    holding.preOwner = holding.owner;
    this.#holdings.push(holding);
    this.publishAccount(holding.owner);
  }

  /** Adds a step that {@link rollBack} runs, the last one first: for state other than balances. */
  onRollback(step: () => void): void {
    this.#rollbackSteps.push(step);
  }

  /** Restores the state before the transaction. */
  rollBack(): void {
    for (let index = this.#rollbackSteps.length - 1; index >= 0; index--) this.#rollbackSteps[index]?.();
    for (const account of this.#accounts) account.lamports = account.preLamports;
    for (const holding of this.#holdings) {
      holding.amount = holding.preAmount;
      holding.open = holding.preOpen;
      holding.owner = holding.preOwner;
    }
  }

  /** Publishes token accounts that are new or closed or have another owner. */
  publishTokenAccounts(): void {
    for (const holding of this.#holdings) this.#host.publishTokenAccount(holding);
  }

  /** Returns whether an account signs the transaction. */
  isSigner(account: Account): boolean {
    return account.touchedBy === this.#id && (account.flags & SIGNER) !== 0;
  }

  get signerCount(): number {
    let count = 0;
    for (const account of this.#accounts) count += account.flags & SIGNER;
    return count;
  }

  /** Returns the balances that differ from those before the transaction. */
  changes(): BalanceChangeFact[] {
    const changes: BalanceChangeFact[] = [];
    for (const { address, preLamports: pre, lamports } of this.#accounts) {
      if (pre !== lamports) changes.push({ account: address, owner: address, token: NATIVE_SOL, pre, post: lamports });
    }
    for (const { account, owner, token, preAmount: pre, amount, preOwner } of this.#holdings) {
      if (pre === amount && (owner === preOwner || amount === 0n)) continue;
      changes.push({ account: account.address, owner: owner.address, token: token.address, pre, post: amount });
    }
    return changes;
  }

  /**
   * Returns the keys in the order of the message.
   * @param lookup whether the keys that lookup tables contain come from there; signers and programs never do
   */
  keyUses(lookup: boolean): KeyUse[] {
    const uses: KeyUse[] = [];
    if (lookup) this.#markLookups();
    for (let rank = 0; rank < RANK_COUNT; rank++) {
      const ranked = this.#accounts.filter(({ flags }) => RANKS[flags] === rank);
      if (rank >= FIRST_LOOKUP_RANK) ranked.sort((a, b) => (a.lookup?.tableNumber ?? 0) - (b.lookup?.tableNumber ?? 0));
      for (const account of ranked) account.keyIndex = uses.push(account.keyUse) - 1;
    }
    return uses;
  }

  #markLookups(): void {
    for (const account of this.#accounts) {
      if (!account.shared || account.flags & SIGNER || account.kind === "program") continue;
      if (account.lookup) account.flags |= LOOKUP;
      else this.#host.requestLookup(account);
    }
  }
}
