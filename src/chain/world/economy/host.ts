/** The part of the economy that transactions use. */
import type { WorldTransaction } from "../facts.ts";
import type { AccountFactory } from "./account-factory.ts";
import type { Account, Holding, Stake, Token } from "./accounts.ts";

type SharedAccounts = Pick<AccountFactory, "programs" | "account" | "createAssociated" | "createVault" | "delegateOf">;

/** Holds what all transactions share and publishes their effects in the current block. */
export interface TransactionHost extends SharedAccounts {
  readonly sol: Token;
  readonly wrapped: Token;
  /** Returns a number of compute units that differs a little from the given one. */
  jitter(units: number): number;
  /** Returns the limit that a wallet requests for a transaction that needs about this number of compute units. */
  unitLimit(units: number): number;
  requestLookup(account: Account): void;
  publishAccount(account: Account): void;
  publishToken(token: Token): void;
  publishTokenAccount(holding: Holding): void;
  publishStake(stake: Stake): void;
  /** Adds a finished transaction to the block; `baseFee` in lamports. */
  addTransaction(fact: WorldTransaction, baseFee: number): void;
}
