/**
 * Compact votes: most transactions of a chain are votes that differ in their voters only, so that a ledger stores
 * nothing but their fees. Their signatures follow from their ids and lead back to them.
 */
import { BASE58_DIGITS } from "../base58.ts";
import type { LedgerReader, LedgerRow } from "./reader.ts";
import { firstRow, KEY_FLAGS, transactionOfRow } from "./schema.ts";

const LENGTH = 88;
/** The first digit of a signature of 88 digits is one of four after the zero: larger numbers have more than 64 bytes. */
const FIRST_DIGITS = 4;
/** The digits after the first one that contain the encrypted id, 46 bits. */
const ID_DIGITS = 8;
const HALF = 2 ** 23;

/** The program of votes. */
export const VOTE_PROGRAM = "Vote111111111111111111111111111111111111111";
/** Compute units of a vote. */
export const VOTE_UNITS = 2_100;

function mix(a: number, b: number): number {
  let hash = Math.imul(a ^ 0x9e3779b9, 0x85ebca6b) ^ Math.imul(b + 0x7f4a7c15, 0xc2b2ae35);
  hash = Math.imul(hash ^ (hash >>> 15), 0x27d4eb2f);
  hash = Math.imul(hash ^ (hash >>> 13), 0x165667b1);
  return (hash ^ (hash >>> 16)) >>> 0;
}

/** Encrypts or decrypts 46 bits with a Feistel network of four rounds. */
function permute(value: number, rounds: readonly number[]): number {
  let [left, right] = [Math.floor(value / HALF), value % HALF];
  for (const round of rounds) [left, right] = [right, (left ^ mix(right, round)) & (HALF - 1)];
  return right * HALF + left;
}

const roundsOf = (key: number): readonly number[] => [1, 2, 3, 4].map((round) => mix(key, round));

/** Returns a number for the name of a source: its ledger has other signatures than those of other sources. */
export function voteKeyOf(source: string): number {
  let key = 0;
  for (let at = 0; at < source.length; at++) key = mix(key, source.charCodeAt(at));
  return key;
}

/** Returns the signature of a vote. */
export function voteSignature(key: number, id: number): string {
  let text = BASE58_DIGITS.charAt(1 + (mix(key, id) % FIRST_DIGITS));
  let encrypted = permute(id, roundsOf(key));
  for (let digit = 0; digit < ID_DIGITS; digit++) {
    text += BASE58_DIGITS.charAt(encrypted % 58);
    encrypted = Math.floor(encrypted / 58);
  }
  for (let word = mix(id, key), at = 0; text.length < LENGTH; at++) {
    text += BASE58_DIGITS.charAt(word % 58);
    word = at % 4 === 3 ? mix(word, id + at) : Math.floor(word / 58);
  }
  return text;
}

/** Returns the id of the vote with a signature; undefined for other signatures. */
export function voteIdOf(key: number, signature: string): number | undefined {
  if (signature.length !== LENGTH) return undefined;
  let encrypted = 0;
  for (let digit = ID_DIGITS; digit >= 1; digit--) {
    encrypted = encrypted * 58 + BASE58_DIGITS.indexOf(signature.charAt(digit));
  }
  const id = permute(encrypted, roundsOf(key).toReversed());
  return encrypted < HALF * HALF && voteSignature(key, id) === signature ? id : undefined;
}

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
export function findTransactionId(db: LedgerReader, signature: string): number | undefined {
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
export function readVotes(db: LedgerReader, account: number, before: number, limit: number): readonly number[] {
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
