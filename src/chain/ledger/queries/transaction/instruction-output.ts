/** The values that the instructions of simulated transactions write into the log; see interfaces/outputs.ts. */
import { Buffer } from "node:buffer";
import { decodeBase58, type Json, type JsonObject } from "../../../../base/index.ts";
import type { InstructionArgument } from "../../interfaces/interface.ts";
import { outputsOf } from "../../interfaces/outputs.ts";
import type { LedgerReader } from "../../store/reader.ts";
import { firstRow } from "../../store/schema.ts";
import { curveReserves, priceFields } from "../account/pool-data.ts";
import { addressOf, idOrUnknown } from "../sql.ts";
import { type BalancePair, holdingBefore, type TransactionBalances } from "./balances.ts";
import { accountsOf, amountSent, encodeArgument, readArgument } from "./instruction-data.ts";
import type { Instruction } from "./tree.ts";

/** The effects of a transaction. */
export interface TransactionEffects {
  readonly id: number;
  /** In seconds of the reader's clock. */
  readonly time: number | undefined;
  /** The arguments of its instructions. */
  readonly infos: ReadonlyMap<Instruction, JsonObject>;
  readonly balances: TransactionBalances;
}

/** A line with a value: of the program, or of the runtime for one that it returns. */
export interface OutputLine {
  readonly text: string;
  readonly isReturned: boolean;
}

const HELD = /^(##?)(\w+)$/;
const DERIVED = /^~(\w+)\((\S+),(\S+)\)$/;
const CHOICE = /^([^?]+)\?(.+?):(.+)$/;

/** Returns one of the sources of a choice, or the source itself. */
function choose(source: string, accounts: Readonly<Record<string, string>>, read: (source: string) => Json): string {
  const [, condition, first = "", second = ""] = CHOICE.exec(source) ?? [];
  if (condition === undefined) return source;
  const [low = "", high] = condition.split("<").map((name) => accounts[name]);
  const holds =
    high === undefined ? read(condition) === true : Buffer.compare(decodeBase58(low), decodeBase58(high)) < 0;
  return holds ? first : second;
}

/** Returns a value that follows from two amounts, such as the reserves of a pool. */
function derive(name: string, amounts: readonly Json[]): Json {
  const [first = 0n, second = 0n] = amounts.map((amount) => BigInt(String(amount)));
  const difference = String(first - second);
  const values: JsonObject = { difference, ...priceFields(first, second), ...curveReserves(first, second) };
  return values[name] ?? 0;
}

/** Returns a function that returns the lines of an instruction. */
export function createOutputReader(db: LedgerReader, { id, time, infos, balances }: TransactionEffects) {
  const keys = new Map(balances.keys.map((key) => [key.address, key]));
  const heldBy = (address: string): Partial<BalancePair> => {
    const key = keys.get(address);
    if (key?.token === undefined) return key ?? {};
    const change = balances.tokens.find(({ account }) => account === key.id);
    const unchanged = change ? 0n : (holdingBefore(db, key.id, key.token, firstRow(id))?.amount ?? 0n);
    return change ?? { pre: unchanged, post: unchanged };
  };
  const creatorOf = (mint: string | undefined): string | undefined =>
    addressOf(db, db.get("SELECT creator_id FROM tokens WHERE id = ?", idOrUnknown(db, mint ?? ""))?.creator_id);

  /** The fields that follow from more than the instruction. */
  const furtherInfo = (instruction: Instruction): JsonObject => {
    const { programName, type, caller } = instruction;
    const created = caller?.inner.find((sibling) => sibling.type === "createAccount");
    const { space = 0 } = (created && infos.get(created)) ?? {};
    const creator = programName === "pump" ? creatorOf(accountsOf(instruction).mint) : undefined;
    return { timestamp: time ?? 0, ixName: type, accountSize: space, ...(creator !== undefined && { creator }) };
  };

  const readField = (field: InstructionArgument, instruction: Instruction, info: JsonObject): Json => {
    const [name, type, source] = field;
    const accounts = accountsOf(instruction);
    const read = (text: string): Json => {
      const [, mark, account = ""] = HELD.exec(text) ?? [];
      if (mark === undefined) return readArgument([name, type, text], instruction, info);
      const address = accounts[account] ?? "";
      const { pre = 0n, post = 0n } = heldBy(address);
      if (mark === "##") return String(post);
      // An account may be filled by an instruction before.
      const sent = amountSent(instruction, address);
      return String(pre > sent ? pre : sent);
    };
    const chosen = choose(source, accounts, read);
    const [, derived, a = "", b = ""] = DERIVED.exec(chosen) ?? [];
    return derived === undefined ? read(chosen) : derive(derived, [read(a), read(b)]);
  };

  return (instruction: Instruction): readonly OutputLine[] =>
    outputsOf(instruction.programName, instruction.type).map(({ prefix, isReturned, tag, fields }) => {
      const info = { ...infos.get(instruction), ...furtherInfo(instruction) };
      const hex = fields.map((field) => encodeArgument(field, readField(field, instruction, info))).join("");
      const value = Buffer.from(tag + hex, "hex").toString("base64");
      return { text: (isReturned ? `Program return: ${instruction.program} ` : prefix) + value, isReturned };
    });
}
