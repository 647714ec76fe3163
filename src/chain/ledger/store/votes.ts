/**
 * The votes of a simulated chain: they follow from its leader schedule, so that a ledger does not store them. The id of a
 * vote is a negative number with its slot and its position; its signature follows from the id and leads back to it.
 */
import type { SQLInputValue } from "node:sqlite";
import { BASE58_DIGITS } from "../../../base/index.ts";
import { PROGRAM } from "../../../catalogue/index.ts";
import { blockAt, type SimulatedChain, simulatedChain } from "./blocks.ts";
import type { LedgerReader, LedgerRow } from "./reader.ts";
import { mix, VOTE_FEE, VOTE_UNITS } from "./schedule.ts";
import {
  firstRow,
  INDEX_END,
  KEY_FLAGS,
  slotOfTransaction,
  TRANSACTIONS_PER_SLOT,
  transactionAt,
  transactionOfRow,
} from "./schema.ts";

const LENGTH = 88;
/** The first digit of a signature of 88 digits is one of four after the zero: larger numbers have more than 64 bytes. */
const FIRST_DIGITS = 4;
/** The digits after the first one that contain the encrypted id, 46 bits. */
const ID_DIGITS = 8;
const HALF = 2 ** 23;
/** Ids of votes in a block. */
const MAX_VOTES = 2048;

/** The type of the instruction of a vote. */
export const VOTE_TYPE = "towersync";

/** Encrypts or decrypts 46 bits with a Feistel network of four rounds. */
function permute(value: number, rounds: readonly number[]): number {
  let [left, right] = [Math.floor(value / HALF), value % HALF];
  for (const round of rounds) [left, right] = [right, (left ^ mix(right, round)) & (HALF - 1)];
  return right * HALF + left;
}

const roundsOf = (key: number): readonly number[] => [1, 2, 3, 4].map((round) => mix(key, round));

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

/** Returns the id of a vote by its position among the votes of its block. */
const voteIdAt = (slot: number, n: number): number => -(slot * MAX_VOTES + n + 1);

const isVote = (transaction: number): boolean => transaction < 0;
const slotOf = (transaction: number): number =>
  isVote(transaction) ? Math.floor((-transaction - 1) / MAX_VOTES) : slotOfTransaction(transaction);
const positionOf = (vote: number): number => (-vote - 1) % MAX_VOTES;

const chainOf = (db: LedgerReader): SimulatedChain => simulatedChain(db) as SimulatedChain;

/** Conditions on a transaction `x`. */
interface Conditions {
  readonly sql: string;
  readonly values: readonly SQLInputValue[];
}

/** Returns the ids of the transactions of a block in its order: the stored ones that meet the conditions, and the votes. */
export function transactionIds(
  db: LedgerReader,
  block: LedgerRow,
  { sql, values }: Conditions = { sql: "", values: [] },
  hasVotes = true,
): readonly number[] {
  const slot = Number(block.slot);
  const select = `SELECT x.id FROM transactions x ${sql === "" ? "WHERE" : `${sql} AND`} x.id >= ? AND x.id < ? ORDER BY x.id`;
  const stored = db.all(select, ...values, transactionAt(slot), transactionAt(slot + 1)).map(({ id }) => Number(id));
  if (!hasVotes || !simulatedChain(db)) return stored;
  return [...stored, ...Array.from({ length: Number(block.votes) }, (_, n) => voteIdAt(slot, n))];
}

/** Returns the id of the transaction with a signature; undefined when the ledger does not contain it. */
export function findTransactionId(db: LedgerReader, signature: string): number | undefined {
  const id = db.get("SELECT id FROM transactions WHERE signature = ?", signature)?.id;
  if (typeof id === "number") return id;
  const chain = simulatedChain(db);
  const vote = chain && voteIdOf(chain.schedule.key, signature);
  if (vote === undefined) return undefined;
  const votes = Number(blockAt(db, slotOf(-vote))?.votes ?? 0);
  return positionOf(-vote) < votes ? -vote : undefined;
}

/** Returns the first row of a transaction; of a vote that of the rewards of its block, which follow all transactions. */
export const placeOf = (transaction: number): number =>
  firstRow(isVote(transaction) ? transactionAt(slotOf(transaction), INDEX_END) : transaction);

/** Returns the lamports that votes have moved on an account after a row and before the block of a transaction. */
export function voteLamports(db: LedgerReader, account: number, row: number, transaction: number): bigint {
  const chain = simulatedChain(db);
  const voter = chain?.voters.findIndex(({ identity }) => identity === account) ?? -1;
  if (!chain || voter < 0) return 0n;
  // Rewards are after the votes of their block; row 0 is what there was before the first block.
  const place = transactionOfRow(row);
  const from =
    row === 0
      ? Number(db.get("SELECT MIN(slot) AS slot FROM blocks")?.slot) - 1
      : slotOfTransaction(place) - (place % TRANSACTIONS_PER_SLOT >= INDEX_END ? 0 : 1);
  return chain.schedule.earnings(voter, slotOf(transaction) - 1, from);
}

/** Returns a vote as the row of a transaction with its block; undefined for other transactions. */
export function voteRow(db: LedgerReader, transaction: number): LedgerRow | undefined {
  const block = isVote(transaction) ? blockAt(db, slotOf(transaction)) : undefined;
  if (!block) return undefined;
  const costs = { fee: VOTE_FEE, priority_fee: 0, compute_units: VOTE_UNITS, cost_units: null, error: null };
  const message = { version: null, logs: null, lookups: null, other_signatures: null, recent_hash: block.parent_hash };
  const signature = voteSignature(chainOf(db).schedule.key, -transaction);
  return { id: transaction, slot: block.slot, time: block.time, signature, ...costs, ...message } as LedgerRow;
}

/** Returns the accounts that a vote names, as the key rows of other transactions; none of other transactions. */
export function voteKeyRows(db: LedgerReader, transaction: number): readonly LedgerRow[] {
  if (!isVote(transaction)) return [];
  const { schedule, voters } = chainOf(db);
  const voter = voters[schedule.voterAt(slotOf(transaction), positionOf(transaction))];
  const { signer, writable } = KEY_FLAGS;
  return [
    { account_id: Number(voter?.identity), flags: signer | writable, fee: VOTE_FEE },
    { account_id: Number(voter?.account), flags: writable },
    { account_id: db.idOf(PROGRAM.vote) ?? -1, flags: 0 },
  ].map((row) => ({ ...row, token_id: null, lamports: null }));
}

/** Returns the instruction of a vote, as the rows of other transactions: a vote on the parent slot. */
export function voteInstructionRows(db: LedgerReader, transaction: number): readonly LedgerRow[] {
  if (!isVote(transaction)) return [];
  const program = db.idOf(PROGRAM.vote) ?? -1;
  const name = db.get("SELECT name FROM programs WHERE account_id = ?", program)?.name ?? null;
  const info = JSON.stringify({ slot: blockAt(db, slotOf(transaction))?.parent_slot });
  const kind = { type: VOTE_TYPE, parsed_type: "vote", program_id: program, name };
  return [{ id: 0, parent: -1, accounts: "10", info, data: null, ...kind }];
}

/** Returns the identity of a vote account, and the slots that it voted for last, the newest first. */
export function latestVotes(db: LedgerReader, account: number, count: number) {
  const chain = simulatedChain(db);
  const voter = chain?.voters.findIndex((each) => each.account === account) ?? -1;
  const identity = chain?.voters[voter]?.identity;
  if (!chain || identity === undefined) return undefined;
  const slots: number[] = [];
  let slot = Number(db.get("SELECT max(slot) AS slot FROM blocks")?.slot);
  while (slots.length < count) {
    const parent = chain.schedule.lastUpTo(slot - 1);
    if (chain.schedule.hasVote(voter, slot)) slots.push(parent);
    slot = parent;
  }
  return { identity: db.addressOf(identity), slots };
}
