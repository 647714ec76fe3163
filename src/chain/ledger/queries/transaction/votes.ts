/** Compact votes: what the ledger does not store about them, in the form of its other rows. */
import type { LedgerReader, LedgerRow } from "../../store/reader.ts";
import { firstRow, KEY_FLAGS, transactionOfRow } from "../../store/schema.ts";
import { VOTE_PROGRAM, voteIdOf, voteKeyOf, voteSignature } from "../../store/votes.ts";

const keys = new WeakMap<LedgerReader, number>();

function voteKey(db: LedgerReader): number {
  const known = keys.get(db);
  if (known !== undefined) return known;
  const key = voteKeyOf(String(db.get("SELECT value FROM meta WHERE name = 'source'")?.value));
  keys.set(db, key);
  return key;
}

/** Returns the signature of a transaction from the stored one, which votes lack. */
export const signatureOf = (db: LedgerReader, transaction: number, stored: unknown): string =>
  typeof stored === "string" ? stored : voteSignature(voteKey(db), transaction);

/** Returns the id of the transaction with a signature; undefined when the ledger does not contain it. */
export function transactionIdOf(db: LedgerReader, signature: string): number | undefined {
  const id = db.get("SELECT id FROM transactions WHERE signature = ?", signature)?.id;
  if (typeof id === "number") return id;
  const vote = voteIdOf(voteKey(db), signature) ?? -1;
  return db.get("SELECT id FROM transactions WHERE id = ? AND signature IS NULL", vote)?.id as number | undefined;
}

/** Returns the id of the Vote Program; −1 in a ledger without it. */
export const voteProgramOf = (db: LedgerReader): number => db.idOf(VOTE_PROGRAM) ?? -1;

/** Returns the accounts that a vote names, as the key rows of other transactions. */
export function voteKeyRows(db: LedgerReader, transaction: number): readonly LedgerRow[] {
  const row = db.get(
    `SELECT v.identity_id, v.account_id FROM balance_changes c CROSS JOIN voters v ON v.identity_id = c.account_id
    WHERE c.id = ?`,
    firstRow(transaction),
  );
  if (!row) return [];
  return [
    { account_id: row.identity_id as number, flags: KEY_FLAGS.signer | KEY_FLAGS.writable, token_id: null },
    { account_id: row.account_id as number, flags: KEY_FLAGS.writable, token_id: null },
    { account_id: voteProgramOf(db), flags: 0, token_id: null },
  ];
}

/** Returns the instruction of a vote, as the rows of other transactions. */
export const voteInstructionRows = (db: LedgerReader, transaction: number): readonly LedgerRow[] =>
  db.all(
    `SELECT x.id * 4096 AS id, -1 AS parent, '10' AS accounts, json_object('slot', b.parent_slot) AS info, k.type,
      k.parsed_type, k.program_id, p.name
    FROM transactions x CROSS JOIN blocks b ON b.slot = x.slot
    CROSS JOIN balance_changes c ON c.id = x.id * 4096 CROSS JOIN voters v ON v.identity_id = c.account_id
    CROSS JOIN instruction_kinds k ON k.id = v.kind_id
    LEFT JOIN programs p ON p.account_id = k.program_id WHERE x.id = ? AND x.signature IS NULL`,
    transaction,
  );

/** Returns the ids of the latest votes before a row that name an account: an identity, a vote account or the program. */
export function votesOf(db: LedgerReader, account: number, before: number, limit: number): readonly number[] {
  const read = (sql: string, ...params: readonly number[]) => db.all(sql, ...params).map(({ id }) => Number(id));
  if (account === voteProgramOf(db)) {
    const last = transactionOfRow(before);
    return read("SELECT id FROM transactions WHERE signature IS NULL AND id < ? ORDER BY id DESC LIMIT ?", last, limit);
  }
  const voter = db.get("SELECT identity_id FROM voters WHERE identity_id = ? OR account_id = ?", account, account);
  if (!voter) return [];
  return read(
    `SELECT x.id FROM balance_changes c CROSS JOIN transactions x ON x.id = c.id / 4096
    WHERE c.account_id = ? AND c.token_id = 1 AND c.id < ? AND x.signature IS NULL ORDER BY c.id DESC LIMIT ?`,
    Number(voter.identity_id),
    before,
    limit,
  );
}
