/** The data of instructions as bytes: by the layouts of Solana's own programs, and for other programs by name. */
import { Buffer } from "node:buffer";
import { fieldAt, type Json, type JsonObject, listOf } from "../../../../base/index.ts";
import { keyBytes } from "./base58.ts";
import { hexData } from "./instruction-data.ts";
import type { Instruction } from "./tree.ts";

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

/** Returns a number as little-endian bytes in hexadecimal digits. */
function littleEndian(value: Json | undefined, bytes: number): string {
  const text = typeof value === "string" || typeof value === "number" ? String(value) : "0";
  const number = BigInt.asUintN(bytes * 8, /^\d+$/.test(text) ? BigInt(text) : 0n);
  return Buffer.from(number.toString(16).padStart(bytes * 2, "0"), "hex")
    .reverse()
    .toString("hex");
}

const keyHex = (address: Json | undefined): string =>
  Buffer.from(typeof address === "string" ? keyBytes(address) : new Uint8Array(32)).toString("hex");

const FIELD_TYPES: Readonly<Record<string, (value: Json | undefined) => string>> = {
  u8: (value) => littleEndian(value, 1),
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
