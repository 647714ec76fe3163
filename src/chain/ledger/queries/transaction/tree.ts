/** Reads the instructions of a transaction as a tree of calls, each with its transfers. */
import { Buffer } from "node:buffer";
import { type JsonObject, parseJson } from "../../../../base/index.ts";
import { interfaceOf } from "../../interfaces/interface.ts";
import { decodePositions } from "../../source/source.ts";
import type { LedgerReader, LedgerRow } from "../../store/reader.ts";
import { ROWS_PER_TRANSACTION, rowRange } from "../../store/schema.ts";
import { voteInstructionRows, voteKeyRows } from "../../store/votes.ts";
import { asText, columnText, decimalsOf } from "../sql.ts";
import { TRANSFER_TYPES } from "../transfers.ts";

/** A transfer of an instruction; the amount is exact text. */
export interface InstructionTransfer {
  readonly instruction: number;
  /** Type, e.g. `ACTIVITY_SPL_TRANSFER`. */
  readonly type: string;
  readonly sourceOwner: string;
  /** Token accounts; owners for SOL. */
  readonly source: string;
  readonly destination: string;
  readonly destinationOwner: string;
  readonly token: string;
  readonly decimals: number | undefined;
  readonly amount: string;
}

/** What a chain says about an instruction. */
export interface RawData {
  /** Hexadecimal digits; undefined where a node returned only the parsed form. */
  readonly hex: string | undefined;
  /** The name and the arguments with their types, for programs with an interface description. */
  readonly name: string | undefined;
  readonly arguments: JsonObject | undefined;
}

/** An instruction with its position in the tree. */
export interface Instruction {
  /** Index in the order of execution. */
  readonly n: number;
  readonly program: string;
  /** Display name of the program. */
  readonly programName: string;
  readonly type: string;
  readonly parsedType: string;
  readonly info: JsonObject | undefined;
  /** What a chain says about an instruction; undefined for simulated ones, of which it is derived. */
  readonly raw: RawData | undefined;
  /** Addresses in the order of the program. */
  readonly accounts: readonly string[];
  /** Addresses in the data of an instruction of a simulated chain; see interfaces/. */
  readonly keys: readonly string[];
  /** Index among its siblings, from 0. */
  readonly index: number;
  /** Depth of the call, 1 at the top. */
  readonly level: number;
  readonly caller: Instruction | undefined;
  /** The top-level instruction that contains it. */
  readonly outer: Instruction | undefined;
  readonly inner: readonly Instruction[];
  readonly transfers: readonly InstructionTransfer[];
}

/** The compute budget program, whose instructions only set limits: lists name it only among the programs. */
export const COMPUTE_BUDGET = "ComputeBudget111111111111111111111111111111";

/** The display name of unknown programs. */
export const UNKNOWN_PROGRAM = "unknown";

function readTransfers(db: LedgerReader, transaction: number): readonly InstructionTransfer[] {
  return db
    .all(
      `SELECT t.instruction, t.type, t.from_id, t.from_account_id, t.to_id, t.to_account_id, t.token_id,
        ${asText("t.amount")} AS amount
      FROM transfers t WHERE t.id >= ? AND t.id < ? ORDER BY t.id`,
      ...rowRange(transaction),
    )
    .map((row) => ({
      instruction: Number(row.instruction),
      type: TRANSFER_TYPES[Number(row.type)] ?? "",
      sourceOwner: db.addressOf(Number(row.from_id)),
      source: db.addressOf(Number(row.from_account_id ?? row.from_id)),
      destination: db.addressOf(Number(row.to_account_id ?? row.to_id)),
      destinationOwner: db.addressOf(Number(row.to_id)),
      token: db.addressOf(Number(row.token_id)),
      decimals: decimalsOf(db, row.token_id),
      amount: String(row.amount),
    }));
}

/**
 * Reads the instructions of a transaction in the order of execution; top-level ones have no caller.
 * @param keys the addresses that it names
 */
export function readTree(
  db: LedgerReader,
  transaction: number,
  keys = readKeys(db, transaction),
): readonly Instruction[] {
  const stored = db.all(
    `SELECT i.id, i.parent, i.accounts, i.info, ${db.facts.isGenerated ? "NULL" : "hex(i.data)"} AS data, k.type, k.parsed_type, k.program_id, p.name FROM instructions i
    CROSS JOIN instruction_kinds k ON k.id = i.kind_id LEFT JOIN programs p ON p.account_id = k.program_id
    WHERE i.id >= ? AND i.id < ? ORDER BY i.id`,
    ...rowRange(transaction),
  );
  const rows = stored.length > 0 ? stored : voteInstructionRows(db, transaction);
  const transfers = Map.groupBy(readTransfers(db, transaction), (transfer) => transfer.instruction);
  const built = new Map<number, Instruction>();
  const children = new Map<number, Instruction[]>([[-1, []]]);
  for (const row of rows) {
    const n = Number(row.id) % ROWS_PER_TRANSACTION;
    const caller = built.get(Number(row.parent));
    const siblings = children.get(caller?.n ?? -1) ?? [];
    const inner: Instruction[] = [];
    const addresses = decodePositions(String(row.accounts)).map((position) => keys[position] as string);
    const kind = kindFields(db, row);
    const accounts = db.facts.isGenerated ? addresses.slice(0, accountCount(kind, addresses)) : addresses;
    const instruction = {
      ...kind,
      ...argumentFields(db, row, accounts),
      accounts,
      keys: addresses.slice(accounts.length),
      n,
      index: siblings.length,
      level: (caller?.level ?? 0) + 1,
      caller,
      outer: caller?.outer ?? caller,
      inner,
      transfers: transfers.get(n) ?? [],
    };
    siblings.push(instruction);
    children.set(n, inner);
    built.set(n, instruction);
  }
  return [...built.values()];
}

/** Returns the addresses that a transaction names, in the order of its message. */
export function readKeys(db: LedgerReader, transaction: number): readonly string[] {
  const stored = db.all(
    "SELECT account_id FROM account_keys WHERE id >= ? AND id < ? ORDER BY id",
    ...rowRange(transaction),
  );
  const rows = stored.length > 0 ? stored : voteKeyRows(db, transaction);
  return rows.map((row) => db.addressOf(Number(row.account_id)));
}

/** Returns how many of the stored addresses are accounts; those in the data follow. */
function accountCount({ programName, type }: ReturnType<typeof kindFields>, addresses: readonly string[]): number {
  const { accounts, keys } = interfaceOf(programName, type);
  return keys.length === 0 ? addresses.length : accounts.length;
}

const kindFields = (db: LedgerReader, row: LedgerRow) => ({
  program: db.addressOf(Number(row.program_id)),
  programName: row.name === null || row.name === undefined ? UNKNOWN_PROGRAM : String(row.name),
  type: String(row.type),
  parsedType: String(row.parsed_type),
});

/** Returns the stored arguments; of a chain those that are decoded from the data, unless they are stored. */
function argumentFields(db: LedgerReader, row: LedgerRow, accounts: readonly string[]) {
  const stored = row.info == null ? undefined : (parseJson(String(row.info)) as JsonObject);
  if (db.facts.isGenerated) return { info: stored, raw: undefined };
  const hex = columnText(row.data)?.toLowerCase();
  const program = db.addressOf(Number(row.program_id));
  const decoded =
    hex === undefined ? undefined : db.decode?.instruction({ program, accounts, data: Buffer.from(hex, "hex") });
  return { info: stored ?? decoded?.info, raw: { hex, name: decoded?.name, arguments: decoded?.arguments } };
}

/** Returns the top-level instructions. */
export const topInstructions = (tree: readonly Instruction[]): readonly Instruction[] =>
  tree.filter(({ caller }) => caller === undefined);

/** Returns the programs of the top-level instructions. */
export const topPrograms = (tree: readonly Instruction[]): readonly string[] =>
  topInstructions(tree).map(({ program }) => program);

/** Returns an instruction and all of its inner instructions, in the order of execution. */
export const withInner = (instruction: Instruction): readonly Instruction[] => [
  instruction,
  ...instruction.inner.flatMap(withInner),
];

/** Returns the inner instructions of top-level instructions by the index of the top-level one. */
export const innerInstructionLists = (
  tree: readonly Instruction[],
): readonly (readonly [index: number, inner: readonly Instruction[]])[] =>
  topInstructions(tree).flatMap((top) =>
    top.inner.length === 0 ? [] : [[top.index, withInner(top).slice(1)] as const],
  );
