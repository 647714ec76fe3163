/** Calls of venues other than exchanges, as data: staking pools, lockers, vaults and lending markets. */
import type { Account, Holding, Token } from "../economy/accounts.ts";
import type { DefiActivityType, TokenAmount } from "../economy/activities.ts";
import type { SendOptions } from "../economy/draft.ts";
import type { Economy } from "../economy/economy.ts";
import type { Transaction } from "../economy/transaction.ts";

/** A program with an account for its customers, such as a pool or a reserve. */
export interface Venue {
  readonly program: Account;
  /** Prefix of the labels of its instructions. */
  readonly label: string;
  /** Program account, usually the owner of the vaults. */
  readonly account: Account;
}

/** A movement of tokens or SOL: tokens without a sender are minted, those without a receiver burned. */
export interface Movement extends TokenAmount {
  readonly from?: Account | Holding;
  readonly to?: Account | Holding;
}

/** An instruction of a venue with the movements that it causes. */
export interface VenueInstruction {
  readonly type: string;
  /** The second part of its label; the type by default. */
  readonly name?: string;
  /** Accounts that it reads in addition. */
  readonly reads?: readonly Account[];
  readonly moves: readonly Movement[];
}

/** A user at a venue, and how the user sends the transaction. */
export interface Visit {
  readonly venue: Venue;
  readonly user: Account;
  readonly send?: SendOptions;
  /** Tokens whose accounts the user opens first, as wallets do. */
  readonly opens?: readonly Token[];
}

/** What a call means to the user. */
export interface VenueActivity {
  readonly type: DefiActivityType;
  /** Position of the instruction that it is attributed to; the first by default. */
  readonly at?: number;
  readonly in: TokenAmount;
  readonly out?: TokenAmount;
}

function addMovement(tx: Transaction, { from, to, token, amount }: Movement, parent: number): void {
  if (from && to) tx.transferToken(from, to, token, amount, parent);
  else if (from) tx.burn(token, from, amount, parent);
  else if (to) tx.mint(token, to, amount, parent);
}

/** Calls a venue in a separate transaction and records the activity. Returns whether it succeeded. */
export function callVenue(
  economy: Economy,
  { venue: { program, label, account }, user, send, opens = [] }: Visit,
  instructions: readonly VenueInstruction[],
  { type, at = 0, ...legs }: VenueActivity,
): boolean {
  const tx = economy.begin(user, send);
  for (const token of opens) tx.openTokenAccount(user, token);
  const indexes = instructions.map(({ type: instructionType, name = instructionType, reads = [], moves }) => {
    const index = tx.instruction(program, instructionType, `${label}:${name}`);
    for (const each of reads) tx.key(each);
    for (const move of moves) addMovement(tx, move, index);
    return index;
  });
  const value = legs.in.token.value(legs.in.amount) || (legs.out?.token.value(legs.out.amount) ?? 0n);
  const instruction = indexes[at] as number;
  tx.activities.addVisit({ type, instruction, user, pool: account, program, trade: false, value, ...legs });
  return tx.commit();
}
