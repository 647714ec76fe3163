/** The current state of an account, shared by several endpoints. */
import { base58 } from "@scure/base";
import { numericOf } from "../../../base/index.ts";
import { WRAPPED_SOL } from "../../../catalogue/index.ts";
import type { LedgerReader } from "../../ledger/reader.ts";
import { SOL, SYSTEM_PROGRAM } from "../../ledger/schema.ts";
import { idOrUnknown } from "../sql.ts";

/** Rent epoch of rent-exempt accounts: the highest 64-bit number. */
export const RENT_EPOCH = numericOf("18446744073709551615");
/** The same as the v2 family answers it, after a conversion to a double. */
export const ROUNDED_RENT_EPOCH = numericOf("18446744073709552000");

/** Tokens with a lower reputation count as spam. */
export const MIN_TRUSTED_REPUTATION = 50;

/** The state of an account; a missing one is an empty wallet. */
export interface AccountState {
  /** −1 when the ledger does not contain it. */
  readonly id: number;
  readonly kind: string;
  readonly ownerProgram: string;
  readonly executable: boolean;
  readonly onCurve: boolean;
  /** All lamports of the account, wrapped ones included, as text. */
  readonly lamports: string;
  /** The token of a token account. */
  readonly tokenId: number | undefined;
}

/** Returns the state of an account. */
export function stateOf(db: LedgerReader, address: string): AccountState {
  const row = db.get(
    `SELECT a.id, a.kind, a.owner_program_id, a.executable, a.on_curve, t.token_id, t.closed
    FROM accounts a LEFT JOIN token_accounts t ON t.account_id = a.id WHERE a.address = ?`,
    address,
  );
  const isAbsent = !row || row.closed === 1;
  return {
    id: row ? Number(row.id) : -1,
    kind: isAbsent ? "system_account" : String(row.kind),
    ownerProgram: isAbsent ? SYSTEM_PROGRAM : db.addressOf(Number(row.owner_program_id)),
    executable: row?.executable === 1,
    onCurve: row ? row.on_curve === 1 : isOnCurve(base58.decode(address)),
    lamports: row ? lamportsOf(db, Number(row.id)) : "0",
    tokenId: row && row.token_id !== null && row.closed === 0 ? Number(row.token_id) : undefined,
  };
}

/** Returns all lamports of an account as text; token accounts of wrapped SOL hold their tokens in lamports too. */
export function lamportsOf(db: LedgerReader, account: number): string {
  const row = db.get(
    "SELECT CAST(ifnull(sum(amount), 0) AS TEXT) AS lamports FROM balances WHERE account_id = ? AND token_id IN (?, ?)",
    account,
    SOL,
    idOrUnknown(db, WRAPPED_SOL),
  );
  return String(row?.lamports);
}

/** The prime of the ed25519 field. */
const PRIME = 2n ** 255n - 19n;

/**
 * Returns whether 32 bytes are a point of ed25519: whether (y² − 1) / (d·y² + 1) is a square, by Euler's criterion.
 * With d = −121665 / 121666, the quotient is a square exactly when the product below is.
 */
export function isOnCurve(bytes: Uint8Array): boolean {
  const y = bytes.reduceRight((number, byte) => number * 256n + BigInt(byte), 0n) % 2n ** 255n;
  const square = (y * y) % PRIME;
  const product = (square - 1n + PRIME) * 121666n * (121666n + PRIME - ((121665n * square) % PRIME));
  const symbol = modularPower(product % PRIME, (PRIME - 1n) / 2n);
  return symbol === 0n || symbol === 1n;
}

function modularPower(base: bigint, exponent: bigint): bigint {
  let result = 1n;
  for (let [square, rest] = [base, exponent]; rest > 0n; square = (square * square) % PRIME, rest >>= 1n) {
    if (rest & 1n) result = (result * square) % PRIME;
  }
  return result;
}
