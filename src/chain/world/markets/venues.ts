/** Calls of venues other than exchanges, as data: staking pools, lockers, vaults and lending markets. */
import { type Account, Holding, type Token } from "../economy/accounts.ts";
import type { DefiActivityType, TokenAmount } from "../economy/activities.ts";
import type { Economy } from "../economy/economy.ts";
import type { Roles } from "../economy/roles.ts";
import type { Transaction } from "../economy/transaction.ts";

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
  /** What customers get for it, and where the venue keeps what they pledge. */
  readonly receipt?: Token;
  readonly collateral?: Holding;
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
  /** The owner of the loan, by default the user. */
  readonly borrower?: Account;
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

/** What the user gives and receives in an instruction, where the activity of the call is about it. */
function readSides({ venue, type }: Visit, { pays, gets }: VenueInstruction) {
  const [first, second] = pays ? [pays, gets] : [gets, undefined];
  const touches = (side?: VenueAmount) => side !== undefined && readVault(venue, side) === venue.vault;
  if (!first || !(touches(pays) || touches(gets))) return undefined;
  // The service lists deposits with one side: the receipts are in the transfers only.
  const out = type === "ACTIVITY_TOKEN_DEPOSIT_VAULT" ? undefined : second;
  return { in: first, out, value: first.token.value(first.amount) || (out?.token.value(out.amount) ?? 0n) };
}

function moveTokens(tx: Transaction, { venue, user }: Visit, { pays, gets }: VenueInstruction, parent: number): void {
  const [into, from] = [pays && readVault(venue, pays), gets && readVault(venue, gets)];
  if (pays && into) tx.transferToken(user, into, pays.token, pays.amount, parent);
  else if (pays) tx.burn(pays.token, user, pays.amount, parent);
  if (gets && from) tx.transferToken(from, user, gets.token, gets.amount, parent);
  else if (gets) tx.mint(gets.token, user, gets.amount, parent);
}

function readVault(venue: Venue, { token, vault }: VenueAmount): Account | Holding | undefined {
  return vault ?? (token === venue.token ? venue.vault : undefined);
}

/** Returns the instructions of a program by the operations for which they are, in the same order. */
export const nameInstructions = <T extends string>(operations: readonly T[], instructions: string) => {
  const types = instructions.split(" ");
  return Object.fromEntries(operations.map((one, at) => [one, types[at] ?? one])) as Readonly<Record<T, string>>;
};

const accountOf = (place: Account | Holding): Account => (place instanceof Holding ? place.account : place);

/** Returns the accounts of a venue and a user, by the names that the rules of interfaces have for them. */
export function readVenueRoles(tx: Transaction, venue: Omit<Venue, "label" | "program">, user: Account): Roles {
  const { account, token, vault, receipt, collateral } = venue;
  const holding = (owned: Token): Account => (owned.native ? user : tx.holding(user, owned).account);
  return {
    ...{ user, borrower: user, venue: account, vault: accountOf(vault), receiptVault: collateral?.account },
    ...{ mint: token.account, mintProgram: token.program, userToken: holding(token) },
    ...(receipt && { receipt: receipt.account, userReceipt: holding(receipt) }),
  };
}

/**
 * Calls a venue in a separate transaction, whose activity is about the instruction that moves the token of the venue.
 * Returns whether it succeeded.
 */
export function callVenue(economy: Economy, visit: Visit, instructions: readonly VenueInstruction[]): boolean {
  const { venue, user, type, priority = 3000 } = visit;
  const { program, label, account: pool } = venue;
  const tx = economy.begin(user, { priority, usesLookupTable: true });
  // As wallets do: first of all.
  for (const { gets } of instructions) if (gets && !gets.token.native) tx.openTokenAccount(user, gets.token);
  const roles = readVenueRoles(tx, venue, user);
  for (const each of instructions) {
    const { type: name, name: title = name, borrower = user } = each;
    const instruction = tx.call(program, name, `${label}:${title}`, { ...roles, borrower });
    moveTokens(tx, visit, each, instruction);
    const sides = readSides(visit, each);
    if (sides) tx.activities.addVisit({ type, instruction, user, pool, program, isTrade: false, ...sides });
  }
  return tx.commit();
}
