/** The data of instructions that nodes do not parse: arguments by the programs' interfaces, and their encoding. */
import { Buffer } from "node:buffer";
import { base58 } from "@scure/base";
import { isObject, type Json, type JsonObject, numericText, sha256 } from "../../../../base/index.ts";
import { amountOf } from "../sql.ts";
import type { Instruction } from "./tree.ts";

/** An argument: its name and type, and its value from the decoded arguments of the instruction. */
type Argument = readonly [name: string, type: string, value: (info: JsonObject) => Json | undefined];

const field =
  (name: string) =>
  (info: JsonObject): Json | undefined => {
    const value = info[name];
    return typeof value === "string" ? amountOf(value) : value;
  };
/** Half a percent less, or more, than the amount of an exchange. */
const minimumOut = ({ amountOut }: JsonObject): Json | undefined =>
  amountOut === undefined ? undefined : amountOf(String((BigInt(String(amountOut)) * 199n) / 200n));
const maximumIn = ({ amountIn }: JsonObject): Json | undefined =>
  amountIn === undefined ? undefined : amountOf(String((BigInt(String(amountIn)) * 201n) / 200n));
const constant = (value: Json) => (): Json => value;

const [amountIn, amountOut] = [field("amountIn"), field("amountOut")];

/** The arguments of exchanges by the name of the program and the type of the instruction. */
const ARGUMENTS: Readonly<Record<string, readonly Argument[]>> = {
  "raydium_amm swapBaseIn": [
    ["amountIn", "u64", amountIn],
    ["minimumAmountOut", "u64", minimumOut],
  ],
  "raydium_amm_v3 swapV2": [
    ["amount", "u64", amountIn],
    ["otherAmountThreshold", "u64", minimumOut],
    ["sqrtPriceLimitX64", "u128", constant(0)],
    ["isBaseInput", "bool", constant(true)],
  ],
  "whirlpool swapV2": [
    ["amount", "u64", amountIn],
    ["otherAmountThreshold", "u64", minimumOut],
    ["sqrtPriceLimit", "u128", constant(0)],
    ["amountSpecifiedIsInput", "bool", constant(true)],
    ["aToB", "bool", constant(true)],
  ],
  "meteora_dlmm swap2": [
    ["amountIn", "u64", amountIn],
    ["minAmountOut", "u64", minimumOut],
  ],
  "pump_amm buy": [
    ["baseAmountOut", "u64", amountOut],
    ["maxQuoteAmountIn", "u64", maximumIn],
  ],
  "pump_amm sell": [
    ["baseAmountIn", "u64", amountIn],
    ["minQuoteAmountOut", "u64", minimumOut],
  ],
  "jupiter_v6 sharedAccountsRoute": [
    ["id", "u8", constant(1)],
    ["inAmount", "u64", amountIn],
    ["quotedOutAmount", "u64", amountOut],
    ["slippageBps", "u16", constant(50)],
    ["platformFeeBps", "u8", constant(0)],
  ],
};

const DIGITS = /^\d+$/;

/** Returns the arguments of an instruction: by the interface of its program, or all amounts that it states. */
function argumentsOf({ programName, type }: Instruction, info: JsonObject): readonly Argument[] {
  const known = ARGUMENTS[`${programName} ${type}`];
  if (known) return known;
  return Object.entries(info).flatMap(([name, value]): readonly Argument[] =>
    typeof value === "string" && DIGITS.test(value) ? [[name, "u64", field(name)]] : [],
  );
}

/** Bytes of numbers by their type. */
const SIZES: Readonly<Record<string, number>> = { bool: 1, u8: 1, u16: 2, u32: 4, u64: 8, u128: 16 };

/** First bytes of the data of programs without the eight bytes of the Anchor framework, by type of instruction. */
const TAGS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  ComputeBudget: { setComputeUnitLimit: "02", setComputeUnitPrice: "03" },
  raydium_amm: { initialize2: "01", deposit: "03", withdraw: "04", swapBaseIn: "09" },
};
const BUDGET_TYPES: Readonly<Record<string, string>> = { units: "u32", microLamports: "u64" };

const toSnakeCase = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

const tagOf = ({ programName, type }: Instruction): string =>
  TAGS[programName]?.[type] ?? sha256(`global:${toSnakeCase(type)}`).slice(0, 16);

/** Returns a number as little-endian bytes in hexadecimal digits. */
function littleEndian(value: Json | undefined, type: string): string {
  const size = SIZES[type] ?? 0;
  const number = typeof value === "boolean" ? BigInt(value) : BigInt(value === undefined ? 0 : valueText(value));
  return Buffer.from(
    BigInt.asUintN(size * 8, number)
      .toString(16)
      .padStart(size * 2, "0"),
    "hex",
  )
    .reverse()
    .toString("hex");
}

const valueText = (value: Json): string => (typeof value === "string" ? value : numericText(value as number));

/** Returns the data of an instruction in hexadecimal digits. */
export function hexData(instruction: Instruction, info: JsonObject): string {
  if (instruction.raw) return instruction.raw.hex ?? "";
  if (instruction.programName === "ComputeBudget") {
    const [[name = "", value] = []] = Object.entries(instruction.info ?? {});
    return tagOf(instruction) + littleEndian(value, BUDGET_TYPES[name] ?? "u32");
  }
  const values = argumentsOf(instruction, info).map(([, type, value]) => littleEndian(value(info), type));
  return tagOf(instruction) + values.join("");
}

/** Returns the data of an instruction as nodes encode it. */
export const encodedData = (instruction: Instruction, info: JsonObject): string =>
  base58.encode(Buffer.from(hexData(instruction, info), "hex"));

/** Returns the field `idl_data`: the arguments by the interface of the program. Nothing without arguments. */
export function idlData(instruction: Instruction, info: JsonObject): JsonObject {
  if (instruction.raw) {
    const { arguments: input_args } = instruction.raw;
    return input_args === undefined ? {} : { idl_data: { input_args } };
  }
  const values = argumentsOf(instruction, info).flatMap(([name, type, value]) => {
    const data = value(info);
    return data === undefined || isObject(data) ? [] : [[name, { type, data }] as const];
  });
  return values.length === 0 ? {} : { idl_data: { input_args: Object.fromEntries(values) } };
}
