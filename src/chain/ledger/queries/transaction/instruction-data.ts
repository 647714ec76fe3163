/** The data of instructions: arguments by the programs' interfaces, and their encoding as bytes. */
import { Buffer } from "node:buffer";
import { base58 } from "@scure/base";
import {
  fieldAt,
  isNumeric,
  isObject,
  type Json,
  type JsonObject,
  listOf,
  numericText,
  sha256,
} from "../../../../base/index.ts";
import { keyBytes } from "../../base58.ts";
import { amountOf } from "../sql.ts";
import type { Instruction } from "./tree.ts";

/** An argument: its name, its type, and where its value comes from: a decoded argument, a rule, or the value itself. */
type Argument = readonly [name: string, type: string, source: string];

/** Amounts that exchanges accept: half a percent less, or more, than those that they had. */
const LIMITS: Readonly<Record<string, readonly [amount: string, permille: bigint]>> = {
  minimumOut: ["amountOut", 995n],
  maximumIn: ["amountIn", 1005n],
};

/** The arguments of exchanges by the name of the program and the type of the instruction: name, type, source. */
const ARGUMENTS: Readonly<Record<string, string>> = {
  "raydium_amm swapBaseIn": "amountIn:u64:amountIn minimumAmountOut:u64:minimumOut",
  "raydium_amm_v3 swapV2":
    "amount:u64:amountIn otherAmountThreshold:u64:minimumOut sqrtPriceLimitX64:u128:0 isBaseInput:bool:true",
  "whirlpool swapV2":
    "amount:u64:amountIn otherAmountThreshold:u64:minimumOut sqrtPriceLimit:u128:0 amountSpecifiedIsInput:bool:true aToB:bool:true",
  "meteora_dlmm swap2": "amountIn:u64:amountIn minAmountOut:u64:minimumOut",
  "pump_amm buy": "baseAmountOut:u64:amountOut maxQuoteAmountIn:u64:maximumIn",
  "pump_amm sell": "baseAmountIn:u64:amountIn minQuoteAmountOut:u64:minimumOut",
  "jupiter_v6 sharedAccountsRoute":
    "id:u8:1 inAmount:u64:amountIn quotedOutAmount:u64:amountOut slippageBps:u16:50 platformFeeBps:u8:0",
};

const DIGITS = /^\d+$/;

/** Returns the arguments of an instruction: by the interface of its program, or all amounts that it states. */
function selectArguments({ programName, type }: Instruction, info: JsonObject): readonly Argument[] {
  const known = ARGUMENTS[`${programName} ${type}`]?.split(" ").map((text) => text.split(":") as unknown as Argument);
  if (known) return known;
  return Object.entries(info).flatMap(([name, value]): readonly Argument[] =>
    typeof value === "string" && DIGITS.test(value) ? [[name, "u64", name]] : [],
  );
}

function readArgument([, type, source]: Argument, info: JsonObject): Json | undefined {
  if (type === "bool") return source === "true";
  if (DIGITS.test(source)) return Number(source);
  const [name, permille = 1000n] = LIMITS[source] ?? [source];
  const value = info[name];
  return typeof value === "string" ? amountOf(String((BigInt(value) * permille) / 1000n)) : value;
}

const SIZES: Readonly<Record<string, number>> = { bool: 1, u8: 1, u16: 2, u32: 4, u64: 8, u128: 16 };

/** First bytes of the data of programs without the eight bytes of the Anchor framework, by type of instruction. */
const TAGS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  ComputeBudget: { setComputeUnitLimit: "02", setComputeUnitPrice: "03" },
  raydium_amm: { initialize2: "01", deposit: "03", withdraw: "04", swapBaseIn: "09" },
};
const BUDGET_SIZES: Readonly<Record<string, number>> = { units: 4, microLamports: 8 };

const toSnakeCase = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

const tagOf = ({ programName, type }: Instruction): string =>
  TAGS[programName]?.[type] ?? sha256(`global:${toSnakeCase(type)}`).slice(0, 16);

/** Returns a number, or 0 for any other value, as little-endian bytes in hexadecimal digits. */
function littleEndian(value: Json | undefined, size: number): string {
  const text =
    typeof value === "boolean" ? String(Number(value)) : isNumeric(value) ? numericText(value) : String(value);
  const number = BigInt.asUintN(size * 8, DIGITS.test(text) ? BigInt(text) : 0n);
  return Buffer.from(number.toString(16).padStart(size * 2, "0"), "hex")
    .reverse()
    .toString("hex");
}

/** Returns the data of an instruction in hexadecimal digits. */
export function hexData(instruction: Instruction, info: JsonObject): string {
  if (instruction.raw) return instruction.raw.hex ?? "";
  if (instruction.programName === "ComputeBudget") {
    const [[name = "", value] = []] = Object.entries(instruction.info ?? {});
    return tagOf(instruction) + littleEndian(value, BUDGET_SIZES[name] ?? 4);
  }
  const values = selectArguments(instruction, info).map((one) =>
    littleEndian(readArgument(one, info), SIZES[one[1]] ?? 0),
  );
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
  const values = selectArguments(instruction, info).flatMap((argument) => {
    const [name, type] = argument;
    const data = readArgument(argument, info);
    return data === undefined || isObject(data) ? [] : [[name, { type, data }] as const];
  });
  return values.length === 0 ? {} : { idl_data: { input_args: Object.fromEntries(values) } };
}

/**
 * Layouts by the name of the program and the type of the instruction: the discriminator in hexadecimal digits, then the
 * fields with their types and their paths in the arguments. Other bytes stand for themselves.
 */
const LAYOUTS: Readonly<Record<string, string>> = {
  "system createAccount": "00000000 u64:lamports u64:space key:owner",
  "system transfer": "02000000 u64:lamports",
  "token getAccountDataSize": "15 0700",
  "token setAuthority": "06 authority:authorityType option:newAuthority",
  "token mintTo": "07 u64:amount",
  "token transfer": "03 u64:amount",
  "token closeAccount": "09",
  "token transferChecked": "0c u64:tokenAmount.amount u8:tokenAmount.decimals",
  "token burnChecked": "0f u64:tokenAmount.amount u8:tokenAmount.decimals",
  "token syncNative": "11",
  "token initializeAccount3": "12 key:owner",
  "token initializeMint2": "14 u8:decimals key:mintAuthority option:freezeAuthority",
  "token initializeImmutableOwner": "16",
  "token initializeMintCloseAuthority": "19 option:newAuthority",
  "token initializeTransferFeeConfig":
    "1a00 option:transferFeeConfigAuthority option:withdrawWithheldAuthority u16:transferFeeBasisPoints u64:maximumFee",
  "token withdrawWithheldTokensFromMint": "1a02",
  "token harvestWithheldTokensToMint": "1a04",
  "token initializeNonTransferableMint": "20",
  "token initializeInterestBearingConfig": "2100 key:rateAuthority u16:rate",
  "token initializePermanentDelegate": "23 key:delegate",
  "token initializeTransferHook": "2400 key:authority key:programId",
  "token initializeMetadataPointer": "2700 key:authority key:metadataAddress",
  "token initializeTokenMetadata": "d2e11ea258b84d8d text:name text:symbol text:uri",
  "token transferCheckedWithFee": "1a01 u64:tokenAmount.amount u8:tokenAmount.decimals u64:feeAmount.amount",
  "spl-associated-token-account create": "00",
  "spl-associated-token-account createIdempotent": "01",
  "address-lookup-table createLookupTable": "00000000 u64:recentSlot u8:bumpSeed",
  "address-lookup-table extendLookupTable": "02000000 keys:newAddresses",
  "stake initialize": "00000000 key:authorized.staker key:authorized.withdrawer u64: u64: key:",
  "stake delegate": "02000000",
  "stake split": "03000000 u64:lamports",
  "stake withdraw": "04000000 u64:lamports",
  "stake deactivate": "05000000",
  "stake merge": "07000000",
  "vote withdraw": "03000000 u64:lamports",
  "vote towersync": "0e000000 u64:slot",
};

/** Names of programs in {@link LAYOUTS} that have two. */
const SAME_LAYOUTS: Readonly<Record<string, string>> = { "spl-token": "token", "spl-token-2022": "token" };

const AUTHORITY_TYPES = ["mintTokens", "freezeAccount", "accountOwner", "closeAccount"];

const keyHex = (address: Json | undefined): string =>
  Buffer.from(typeof address === "string" ? keyBytes(address) : new Uint8Array(32)).toString("hex");

const FIELD_TYPES: Readonly<Record<string, (value: Json | undefined) => string>> = {
  u8: (value) => littleEndian(value, 1),
  u16: (value) => littleEndian(value, 2),
  text: (value) =>
    littleEndian(Buffer.byteLength(String(value ?? "")), 4) + Buffer.from(String(value ?? "")).toString("hex"),
  u64: (value) => littleEndian(value, 8),
  key: keyHex,
  keys: (value) => {
    const keys = listOf(value);
    return littleEndian(keys.length, 8) + keys.map(keyHex).join("");
  },
  option: (value) => (typeof value === "string" ? `01${keyHex(value)}` : "00"),
  authority: (value) => littleEndian(Math.max(0, AUTHORITY_TYPES.indexOf(String(value))), 1),
};

const layoutOf = ({ programName, type }: Pick<Instruction, "programName" | "type">): string | undefined =>
  LAYOUTS[`${SAME_LAYOUTS[programName] ?? programName} ${type}`];

/** Returns the data of an instruction in hexadecimal digits. */
export function wireHex(instruction: Instruction, info: JsonObject): string {
  if (instruction.raw) return instruction.raw.hex ?? "";
  if (typeof info.memo === "string") return Buffer.from(info.memo).toString("hex");
  const layout = layoutOf(instruction);
  if (layout === undefined) return hexData(instruction, info);
  const parts = layout.split(" ").map((part) => {
    const [type = "", path] = part.split(":");
    return path === undefined ? type : (FIELD_TYPES[type]?.(fieldAt(info, path.split("."))) ?? "");
  });
  return parts.join("");
}

/** Whether the data of a kind of instruction starts with these hexadecimal digits, as far as its type determines it. */
export function hasDiscriminator(programName: string, type: string, digits: string): boolean {
  const layout = layoutOf({ programName, type })?.split(" ")[0];
  const tag = layout ?? hexData({ programName, type } as Instruction, {}).slice(0, 16);
  return tag.startsWith(digits.toLowerCase()) || digits.toLowerCase().startsWith(tag);
}
