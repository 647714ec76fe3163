/** Calls of venues other than exchanges, as data: staking pools, lockers, vaults and lending markets. */
import type { Account, Holding, Token } from "../economy/accounts.ts";
import type { DefiActivityType, TokenAmount } from "../economy/activities.ts";
import type { Economy } from "../economy/economy.ts";

/** A program with an account for its customers, such as a pool or a reserve. */
export interface Venue {
  readonly program: Account;
  /** Prefix of the labels of its instructions. */
  readonly label: string;
  /** Program account, usually the owner of the vaults. */
  readonly account: Account;
  /** What customers bring, and where the venue keeps it. */
  readonly token: Token;
  readonly vault: Account | Holding;
}

/** An amount that a user pays or gets. The venue burns and mints tokens without a vault. */
interface VenueAmount extends TokenAmount {
  /** That of the venue by default, for its token. */
  readonly vault?: Holding;
}

/** An instruction of a venue with the amounts that it moves. */
interface VenueInstruction {
  readonly type: string;
  /** The second part of its label; the type by default. */
  readonly name?: string;
  /** Accounts that it reads in addition. */
  readonly reads?: readonly Account[];
  readonly pays?: VenueAmount | undefined;
  readonly gets?: VenueAmount | undefined;
}

/** What a user does at a venue. */
interface Visit {
  readonly venue: Venue;
  readonly user: Account;
  readonly type: DefiActivityType;
  /** Lamports. */
  readonly priority?: number;
}

/**
 * Calls a venue in a separate transaction, whose activity is about the instruction that moves the token of the venue.
 * Returns whether it succeeded.
 */
export function callVenue(
  economy: Economy,
  { venue, user, type, priority = 3000 }: Visit,
  instructions: readonly VenueInstruction[],
): boolean {
  const { program, label, account } = venue;
  const tx = economy.begin(user, { priority, lookup: true });
  const vaultOf = ({ token, vault }: VenueAmount) => vault ?? (token === venue.token ? venue.vault : undefined);
  // As wallets do: first of all.
  for (const { gets } of instructions) if (gets && !gets.token.native) tx.openTokenAccount(user, gets.token);
  for (const { type: name, name: title = name, reads = [], pays, gets } of instructions) {
    const instruction = tx.instruction(program, name, `${label}:${title}`);
    for (const each of reads) tx.key(each);
    const [into, from] = [pays && vaultOf(pays), gets && vaultOf(gets)];
    if (pays && into) tx.transferToken(user, into, pays.token, pays.amount, instruction);
    else if (pays) tx.burn(pays.token, user, pays.amount, instruction);
    if (gets && from) tx.transferToken(from, user, gets.token, gets.amount, instruction);
    else if (gets) tx.mint(gets.token, user, gets.amount, instruction);
    const [first, second] = pays ? [pays, gets] : [gets, undefined];
    if (!first || (into !== venue.vault && from !== venue.vault)) continue;
    // The service lists deposits with one side: the receipts are in the transfers only.
    const out = type === "ACTIVITY_TOKEN_DEPOSIT_VAULT" ? undefined : second;
    const value = first.token.value(first.amount) || (out?.token.value(out.amount) ?? 0n);
    const activity = { type, instruction, user, pool: account, program, trade: false, value } as const;
    tx.activities.addVisit({ ...activity, in: first, out });
  }
  return tx.commit();
}
