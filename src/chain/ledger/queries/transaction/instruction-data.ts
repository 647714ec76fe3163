/** The data of instructions: the values of their arguments, by the interfaces of programs, and their encoding as bytes. */
import { Buffer } from "node:buffer";
import {
  decodeBase58,
  encodeBase58,
  fieldAt,
  isNumeric,
  isObject,
  type Json,
  type JsonObject,
  listOf,
  numericText,
  sha256,
} from "../../../../base/index.ts";
import { EVENT_CALL, type InstructionArgument, interfaceOf, nameAccounts } from "../../interfaces/interface.ts";
import { amountOf } from "../sql.ts";
import { type Instruction, withInner } from "./tree.ts";

const DIGITS = /^\d+$/;

/**
 * An amount that inner instructions move: into or out of an account, or the first or the last amount; with a tolerance in
 * thousandths, or as a share in ten-thousandths.
 */
const MOVED = /^@(\w+?)(?:([+-]\d+)|%(\d+))?$/;

/** Returns the two sides of the movement of an instruction, by the names of its interface. */
function sidesOf({ programName, type, accounts }: Instruction): readonly (string | undefined)[] {
  const { source, destination, account } = nameAccounts(interfaceOf(programName, type), accounts);
  if (type === "mintTo") return [undefined, account];
  if (type === "burnChecked") return [account];
  return /^transfer/.test(type) ? [source, destination] : [];
}

const movedAmount = ({ transfers, info }: Instruction): bigint => {
  const amount = transfers[0]?.amount ?? info?.amount;
  return typeof amount === "string" ? BigInt(amount) : 0n;
};

/** Returns the first or the last of the inner instructions that move tokens. */
const moveOf = (instruction: Instruction, name: string): Instruction | undefined =>
  withInner(instruction)
    .filter((inner) => sidesOf(inner).length > 1)
    .at(name === "first" ? 0 : -1);

/** Returns what the inner instructions of an instruction move into or out of an account, or first, or last. */
function amountMoved(instruction: Instruction, name: string): bigint {
  let sum = 0n;
  if (name === "first" || name === "last") {
    const move = moveOf(instruction, name);
    return move ? movedAmount(move) : sum;
  }
  const address = accountsOf(instruction)[name];
  for (const inner of withInner(instruction).slice(1)) {
    if (sidesOf(inner).includes(address)) sum += movedAmount(inner);
  }
  return sum;
}

/** Returns what the inner instructions of an instruction move out of an account. */
export const amountSent = (instruction: Instruction, address: string): bigint =>
  withInner(instruction)
    .filter((inner) => sidesOf(inner)[0] === address)
    .reduce((sum, inner) => sum + movedAmount(inner), 0n);

/** Programs by the number of their step in the routes of the aggregator, with what follows it. */
const STEPS: Readonly<Record<string, string>> = {
  "raydium_amm swapBaseIn": "07",
  "raydium_amm_v3 swapV2": "28",
  "meteora_dlmm swap2": "26",
  "pump_amm buy": "48",
  "pump_amm sell": "49",
};

/** Returns the steps of a route as bytes: the exchange, its share in percent, and the positions of both tokens. */
function routePlan(instruction: Instruction): string {
  const tokens: string[] = [];
  const positionOf = (mint: string): number => {
    if (!tokens.includes(mint)) tokens.push(mint);
    return tokens.indexOf(mint);
  };
  const owner = accountsOf(instruction).userTransferAuthority;
  const steps = instruction.inner.flatMap((call) => {
    const moves = call.inner.filter(({ type }) => type.startsWith("transfer"));
    const [paid, received] = moves.map((move) => nameAccounts(interfaceOf(move.programName, move.type), move.accounts));
    if (paid?.mint === undefined || received?.mint === undefined || paid.authority !== owner) return [];
    const [from, to] = [positionOf(paid.mint), positionOf(received.mint)];
    const isFirst = accountsOf(call).tokenVaultA === paid.destination;
    const kind = STEPS[`${call.programName} ${call.type}`] ?? `2f${isFirst ? "01" : "00"}00`;
    return [{ from, to, kind, amount: movedAmount(moves[0] as Instruction) }];
  });
  const parts = steps.map(({ from, to, kind, amount }) => {
    const total = steps.reduce((sum, step) => (step.from === from ? sum + step.amount : sum), 0n);
    const percent = total === 0n ? 100 : Math.round(Number((amount * 1000n) / total) / 10);
    return kind + [percent, from, to].map((value) => littleEndian(value, 1)).join("");
  });
  return littleEndian(steps.length, 4) + parts.join("");
}

/** Returns the accounts of an instruction, and the addresses in its data, by name. */
export const accountsOf = ({ programName, type, accounts, keys }: Instruction): Readonly<Record<string, string>> =>
  nameAccounts(interfaceOf(programName, type), [...accounts, ...keys]);

/** Returns what an event is about: the call before it, or else its caller; other instructions are about themselves. */
function subjectOf(instruction: Instruction): Instruction {
  const { type, caller, index } = instruction;
  if (type !== EVENT_CALL || !caller) return instruction;
  const before = caller.inner[index - 1];
  return before && before.inner.length > 0 ? before : caller;
}

/** Returns the program of an instruction, or the first or the last token that it moves. */
const keyOf = (instruction: Instruction, name: string): Json =>
  name === "program" ? instruction.program : (moveOf(instruction, name)?.transfers[0]?.token ?? null);

/** Returns the value of an argument: an amount that is moved, a constant, or a decoded argument. */
export function readArgument([name, type, source]: InstructionArgument, call: Instruction, info: JsonObject): Json {
  const instruction = subjectOf(call);
  const [, moved, tolerance = "0", share = 10_000 + Number(tolerance) * 10] = MOVED.exec(source) ?? [];
  const accounts = accountsOf(instruction);
  if (moved !== undefined) return amountOf(String((amountMoved(instruction, moved) * BigInt(share)) / 10_000n));
  if (source.startsWith(">")) {
    return withInner(instruction).some((inner) => sidesOf(inner)[1] === accounts[source.slice(1)]);
  }
  if (source.startsWith("!")) return keyOf(instruction, source.slice(1));
  if (source.startsWith("x")) return source === "x00" && type.startsWith("?") ? null : source.slice(1);
  if (type === "routePlan") return routePlan(instruction);
  if (type === "hash") return sha256(`${name} of ${accounts.merkleTree} ${name === "root" ? "" : accounts.leafOwner}`);
  if (DIGITS.test(source)) return type === "bool" ? source === "1" : type === "pubkey" ? DEFAULT_KEY : Number(source);
  return fieldAt(info, source.split(".")) ?? accounts[source] ?? null;
}

const DEFAULT_KEY = "1".repeat(32);
const AUTHORITY_TYPES = ["mintTokens", "freezeAccount", "accountOwner", "closeAccount"];

/** Returns a number, or 0 for any other value, as little-endian bytes in hexadecimal digits. */
function littleEndian(value: Json | undefined, size: number): string {
  const text =
    typeof value === "boolean" ? String(Number(value)) : isNumeric(value) ? numericText(value) : String(value);
  const number = BigInt.asUintN(size * 8, /^-?\d+$/.test(text) ? BigInt(text) : 0n);
  return Buffer.from(number.toString(16).padStart(size * 2, "0"), "hex")
    .reverse()
    .toString("hex");
}

const keyHex = (address: Json | undefined): string =>
  Buffer.from(typeof address === "string" ? decodeBase58(address) : new Uint8Array(32)).toString("hex");

const textHex = (value: Json | undefined): string =>
  Buffer.from(typeof value === "string" ? value : "").toString("hex");

const TYPES: Readonly<Record<string, (value: Json) => string>> = {
  bool: (value) => littleEndian(value, 1),
  pubkey: keyHex,
  pubkeys: (value) => littleEndian(listOf(value).length, 8) + listOf(value).map(keyHex).join(""),
  authority: (value) => littleEndian(Math.max(0, AUTHORITY_TYPES.indexOf(String(value))), 1),
  side: (value) => (value === "ask" ? "01" : "00"),
  text: textHex,
  string: (value) => littleEndian(textHex(value).length / 2, 4) + textHex(value),
  padding: () => "00".repeat(96),
  padding64: () => "00".repeat(64),
};

/** Returns an argument as bytes in hexadecimal digits. */
export function encodeArgument([name, type, source]: InstructionArgument, value: Json): string {
  if (source.startsWith("x")) return source.slice(1);
  if (type.startsWith("?")) return value === null ? "00" : `01${encodeArgument([name, type.slice(1), source], value)}`;
  const bits = /^[iu](\d+)$/.exec(type)?.[1];
  return bits === undefined ? (TYPES[type]?.(value) ?? String(value)) : littleEndian(value, Number(bits) / 8);
}

/** Returns the data of an instruction in hexadecimal digits. */
export function hexData(instruction: Instruction, info: JsonObject): string {
  if (instruction.raw) return instruction.raw.hex ?? "";
  const { tag, arguments: list } = interfaceOf(instruction.programName, instruction.type);
  return tag + list.map((one) => encodeArgument(one, readArgument(one, instruction, info))).join("");
}

/** Returns the data of an instruction as nodes encode it. */
export const encodedData = (instruction: Instruction, info: JsonObject): string =>
  encodeBase58(Buffer.from(hexData(instruction, info), "hex"));

/** Returns a type as interfaces write it. */
function writtenType(type: string): Json {
  if (type.startsWith("?")) return { option: type.slice(1) };
  if (type === "hash") return { array: ["u8", 32] };
  return /^[A-Z]/.test(type) ? { defined: { name: type } } : type;
}

/** Returns the field `idl_data`: the arguments by the interface of the program. Nothing without arguments. */
export function idlData(instruction: Instruction, info: JsonObject): JsonObject {
  if (instruction.raw) {
    const { arguments: input_args } = instruction.raw;
    return input_args === undefined ? {} : { idl_data: { input_args } };
  }
  const values = interfaceOf(instruction.programName, instruction.type).arguments.flatMap((argument) => {
    const [name, type] = argument;
    const data = readArgument(argument, instruction, info);
    return isObject(data) && !isNumeric(data) ? [] : [[name, { type: writtenType(type), data }] as const];
  });
  return values.length === 0 ? {} : { idl_data: { input_args: Object.fromEntries(values) } };
}
