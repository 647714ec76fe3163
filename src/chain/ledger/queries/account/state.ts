/** The current state of an account, shared by several endpoints. */
import { Buffer } from "node:buffer";
import { base58 } from "@scure/base";
import { numericOf } from "../../../../base/index.ts";
import { isOnCurve, WRAPPED_SOL } from "../../../../catalogue/index.ts";
import type { LedgerReader } from "../../store/reader.ts";
import { SOL, SYSTEM_PROGRAM } from "../../store/schema.ts";
import { addressOf, asText, columnText, idOrUnknown } from "../sql.ts";

/** Rent epoch of rent-exempt accounts: the highest 64-bit number. */
export const RENT_EPOCH = numericOf("18446744073709551615");
/** The same as the v2 family answers it, after a conversion to a double. */
export const ROUNDED_RENT_EPOCH = numericOf("18446744073709552000");

/** Tokens with a lower reputation count as spam. */
export const MIN_TRUSTED_REPUTATION = 50;

/** The state of an account; one that is missing in a simulated chain is an empty wallet. */
export interface AccountState {
  /** −1 when the ledger does not contain it. */
  readonly id: number;
  /** Undefined where the ledger knows only that the account exists. */
  readonly kind: string | undefined;
  readonly ownerProgram: string | undefined;
  readonly executable: boolean;
  readonly onCurve: boolean;
  /** All lamports of the account, wrapped ones included, as text; undefined where they are unknown. */
  readonly lamports: string | undefined;
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
  // A chain has accounts that a ledger has never seen.
  const isAbsent = row ? row.closed === 1 : db.facts.isComplete;
  const known = row?.kind === "unknown" ? undefined : columnText(row?.kind);
  return {
    id: row ? Number(row.id) : -1,
    kind: isAbsent ? "system_account" : known,
    ownerProgram: isAbsent ? SYSTEM_PROGRAM : addressOf(db, row?.owner_program_id ?? null),
    executable: row?.executable === 1,
    onCurve: row && row.on_curve !== null ? row.on_curve === 1 : isOnCurve(Buffer.from(base58.decode(address))),
    lamports: row ? lamportsOf(db, Number(row.id)) : db.facts.assume("0"),
    tokenId: row && row.token_id !== null && row.closed === 0 ? Number(row.token_id) : undefined,
  };
}

/**
 * Returns all lamports of an account as text; undefined where they are unknown. In simulated chains, token accounts of
 * wrapped SOL hold their tokens in addition to their SOL.
 */
function lamportsOf(db: LedgerReader, account: number): string | undefined {
  const row = db.get(
    `SELECT ${asText("sum(amount)")} AS lamports FROM balances WHERE account_id = ? AND token_id IN (?, ?)`,
    account,
    SOL,
    !db.facts.isGenerated ? SOL : idOrUnknown(db, WRAPPED_SOL),
  );
  return columnText(row?.lamports) ?? db.facts.assume("0");
}
