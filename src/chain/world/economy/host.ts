/** The part of the economy that transactions use. */
import type { AccountKind } from "../../ledger/index.ts";
import type { ProgramName } from "../data/programs.ts";
import type { WorldTransaction } from "../facts.ts";
import type { Account, Holding, Stake, Token } from "./accounts.ts";

/** Holds what all transactions share and publishes their effects in the current block. */
export interface TransactionHost {
  readonly programs: Readonly<Record<ProgramName, Account>>;
  readonly sol: Token;
  readonly wrapped: Token;
  /** Returns the account of an address. */
  account(kind: AccountKind, ownerProgram: string, options: { address: string }): Account;
  /** Returns the owner's associated token account, which is not open yet. */
  createAssociated(owner: Account, token: Token): Holding;
  /** Returns another token account, which is not open yet: derived by a program, or by default with a key pair. */
  createVault(owner: Account, token: Token, program?: Account): Holding;
  /** Returns a number of compute units that differs a little from the given one. */
  jitter(units: number): number;
  /** Returns the limit that a wallet requests for a transaction that needs about this number of compute units. */
  unitLimit(units: number): number;
  /** Returns the account by which a program acts for owners who did not sign: their delegate. */
  delegateOf(program: Account): Account;
  /** Records that a transaction could have loaded an account from a lookup table. */
  requestLookup(account: Account): void;
  /** Publishes an account that takes part for the first time. */
  publishAccount(account: Account): void;
  /** Publishes the state of a token. */
  publishToken(token: Token): void;
  /** Publishes the state of a token account, unless it is published already. */
  publishTokenAccount(createHolding: Holding): void;
  /** Publishes the state of a stake account. */
  publishStake(stake: Stake): void;
  /** Adds a finished transaction to the block; `baseFee` in lamports. */
  addTransaction(fact: WorldTransaction, baseFee: number): void;
}
