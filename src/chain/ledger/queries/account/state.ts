/** The current state and the metadata of an account, shared by several endpoints. */
import { Buffer } from "node:buffer";
import { DAY_SECONDS, decodeBase58, type JsonObject, omitMissing, toNumeric } from "../../../../base/index.ts";
import { isOnCurve, WRAPPED_SOL } from "../../../../catalogue/index.ts";
import { type LedgerReader, mapRows } from "../../store/reader.ts";
import { SOL, SYSTEM_PROGRAM, slotSql, transactionOfRow } from "../../store/schema.ts";
import type { Query } from "../query.ts";
import { addressOf, asText, columnText, idOrUnknown, toUnixTime, unixTimeOf } from "../sql.ts";

/** Rent epoch of rent-exempt accounts: the highest 64-bit number. */
export const RENT_EPOCH = toNumeric("18446744073709551615");
/** The same as the v2 family answers it, after a conversion to a double. */
export const ROUNDED_RENT_EPOCH = toNumeric("18446744073709552000");

/** Tokens with a lower reputation count as spam. */
export const MIN_TRUSTED_REPUTATION = 50;

/** The state of an account; one that is missing in a simulated chain is an empty wallet. */
export interface AccountState {
  /** −1 when the ledger does not contain it. */
  readonly id: number;
  readonly address: string;
  /** Undefined where the ledger knows only that the account exists. */
  readonly kind: string | undefined;
  readonly ownerProgram: string | undefined;
  readonly executable: boolean;
  readonly onCurve: boolean;
  /** All lamports of the account, wrapped ones included, as text; undefined where they are unknown. */
  readonly lamports: string | undefined;
  readonly tokenId: number | undefined;
  /** The account that it describes. */
  readonly subject: string | undefined;
}

/** Returns the state of an account. */
export function readState(db: LedgerReader, address: string): AccountState {
  const row = db.get(
    `SELECT a.id, a.kind, a.owner_program_id, a.executable, a.on_curve, a.subject_id, t.token_id, t.closed
    FROM accounts a LEFT JOIN token_accounts t ON t.account_id = a.id WHERE a.id = ?`,
    idOrUnknown(db, address),
  );
  const lamports = row ? readLamports(db, Number(row.id)) : db.facts.assume("0");
  // There are no accounts without lamports. A chain has accounts that a ledger has never seen.
  const isAbsent = row ? row.closed === 1 || lamports === "0" : db.facts.isComplete;
  const known = row?.kind === "unknown" ? undefined : columnText(row?.kind);
  return {
    id: row ? Number(row.id) : -1,
    address,
    kind: isAbsent ? (db.facts.assume("system_account") ?? "no_account") : known,
    ownerProgram: isAbsent ? db.facts.assume(SYSTEM_PROGRAM) : addressOf(db, row?.owner_program_id ?? null),
    executable: row?.executable === 1,
    onCurve: row && row.on_curve !== null ? row.on_curve === 1 : isOnCurve(Buffer.from(decodeBase58(address))),
    lamports,
    tokenId: row && row.token_id !== null && row.closed === 0 ? Number(row.token_id) : undefined,
    subject: addressOf(db, row?.subject_id ?? null),
  };
}

/**
 * Returns all lamports of an account as text; undefined where they are unknown. In simulated chains, token accounts of
 * wrapped SOL hold their tokens in addition to their SOL.
 */
function readLamports(db: LedgerReader, account: number): string | undefined {
  const row = db.get(
    `SELECT ${asText("sum(amount)")} AS lamports FROM balances WHERE account_id = ? AND token_id IN (?, ?)`,
    account,
    SOL,
    !db.facts.isGenerated ? SOL : idOrUnknown(db, WRAPPED_SOL),
  );
  return columnText(row?.lamports) ?? db.facts.assume("0");
}

function fundingJson(db: LedgerReader, funder: unknown, transfer: unknown): JsonObject {
  const row = db.get(
    `SELECT x.signature, b.time FROM transactions x CROSS JOIN blocks b ON b.slot = ${slotSql("x.id")} WHERE x.id = ?`,
    transactionOfRow(Number(transfer)),
  );
  return omitMissing({
    funded_by: db.addressOf(Number(funder)),
    tx_hash: String(row?.signature),
    block_time: unixTimeOf(db, row?.time),
  });
}

function ageFields(db: LedgerReader, funder: unknown, transfer: unknown): JsonObject {
  if (funder === null) return {};
  const funding = fundingJson(db, funder, transfer);
  const now = toUnixTime(db.clock, db.clock.end);
  const { block_time: time } = funding;
  const age = time === undefined ? undefined : Math.floor((now - Number(time)) / DAY_SECONDS);
  return omitMissing({ funded_by: funding, active_age: age });
}

function readMetadata(db: LedgerReader, address: string): JsonObject {
  const row = db.get(
    `SELECT l.label, l.icon, l.tags, l.type, l.domain, f.funder_id, f.transfer_id,
      n.name, n.symbol, n.icon AS token_icon, n.decimals
    FROM accounts a LEFT JOIN labels l ON l.account_id = a.id LEFT JOIN funders f ON f.account_id = a.id
    LEFT JOIN token_accounts t ON t.account_id = a.id LEFT JOIN tokens n ON n.id = t.token_id
    WHERE a.id = ?`,
    idOrUnknown(db, address),
  );
  if (!row) return { account_address: address };
  return {
    account_address: address,
    ...omitMissing({ account_label: row.label, account_icon: row.icon }),
    ...(row.tags === null ? {} : { account_tags: JSON.parse(String(row.tags)) as string[] }),
    ...omitMissing({ account_type: row.type, account_domain: row.domain }),
    ...ageFields(db, row.funder_id ?? null, row.transfer_id),
    ...omitMissing({
      token_name: row.name,
      token_symbol: row.symbol,
      token_icon: row.token_icon,
      token_decimals: row.decimals,
    }),
  };
}

/** `/account/metadata`. */
export const metadata: Query = ({ db, params }) => ({ data: readMetadata(db, params.required("address")) });

/** `/account/metadata/multi`: distinct accounts in the order of the request. */
export const metadataMulti: Query = ({ db, params }) => ({
  data: mapRows([...new Set(params.list("address"))], (address) => readMetadata(db, address)),
});

/** `/account/funded-by`: distinct accounts in the order of the request; those without a funder are omitted. */
export const fundedBy: Query = ({ db, params }) => ({
  data: mapRows([...new Set(params.list("address"))], (address) => {
    const row = db.get("SELECT funder_id, transfer_id FROM funders WHERE account_id = ?", idOrUnknown(db, address));
    return row ? [{ address, ...fundingJson(db, row.funder_id, row.transfer_id) }] : [];
  }).flat(),
});
