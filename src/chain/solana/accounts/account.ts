/** Accounts in a node's answers, in every encoding, parsed into the form of the encoding jsonParsed. */
import { zstdDecompressSync } from "node:zlib";
import { isArray, isMissing, isObject, type Json, type JsonObject } from "../../../base/index.ts";
import { PROGRAM } from "../../../catalogue/index.ts";
import { attempt, ByteReader } from "../bytes.ts";
import {
  amountOf,
  base58Of,
  base64Of,
  countOf,
  listOf,
  malformed,
  objectOf,
  optionalCount,
  textOf,
  wholeNumberOf,
} from "../members.ts";
import type { ChainAccount } from "../model.ts";
import { type AccountParser, sortKeys } from "../values.ts";
import { NATIVE_PARSERS } from "./native.ts";
import { parseToken } from "./token.ts";

/** What nodes answer in place of data that base58 would take too long for. */
const TOO_LARGE = /^error: data too large/;

/**
 * Returns an account of a node's answer (`value` of `getAccountInfo`, `account` of lists). Data that the node did not
 * parse is parsed here where its format is known.
 * @throws ServerError when the answer is malformed
 */
export function decodeAccount(address: string, value: Json | undefined): ChainAccount {
  const account = objectOf(value, "account");
  const owner = textOf(account.owner, "account.owner");
  const data = isObject(account.data) ? undefined : dataOf(account.data);
  return {
    address,
    lamports: amountOf(account.lamports, "account.lamports"),
    owner,
    executable: account.executable === true,
    rentEpoch: isMissing(account.rentEpoch) ? 0n : wholeNumberOf(account.rentEpoch, "account.rentEpoch"),
    space: spaceOf(account),
    data,
    parsed: isObject(account.data) ? parsedOf(account.data) : data && parseAccount(address, owner, data),
  };
}

/** Accounts that a node lists, and the slot of their state: 0 where an old node does not say it. */
export interface AccountStates {
  readonly slot: number;
  readonly accounts: readonly ChainAccount[];
}

/** Returns the accounts of a list of `{pubkey, account}`, which old nodes answer without a context. */
export function decodeAccounts(result: Json): AccountStates {
  const list = isArray(result) ? result : valuesOf(result);
  const accounts = list.map((row) => {
    const { pubkey, account } = objectOf(row, "result.value[]");
    return decodeAccount(textOf(pubkey, "result.value[].pubkey"), account);
  });
  return { slot: slotOf(result), accounts };
}

/** Returns the list in the `value` of an answer with a context. */
export const valuesOf = (result: Json): readonly Json[] => listOf(objectOf(result, "result").value, "result.value");

/** Returns the slot in the context of an answer. */
export const slotOf = (result: Json): number =>
  isObject(result) && isObject(result.context) ? countOf(result.context.slot, "result.context.slot") : 0;

/** Newer nodes report the size of the account, older ones only that of parsed accounts. */
const spaceOf = ({ space, data }: JsonObject): number | undefined =>
  optionalCount(space, "account.space") ??
  (isObject(data) ? optionalCount(data.space, "account.data.space") : undefined);

function parsedOf({ program, parsed }: JsonObject): ChainAccount["parsed"] {
  const { type, info } = objectOf(parsed, "account.data.parsed");
  return {
    program: textOf(program, "account.data.program"),
    type: textOf(type, "account.data.parsed.type"),
    info: isObject(info) ? info : isArray(info) ? { entries: info } : {},
  };
}

/** Returns the bytes of an account's data; undefined where the node refused to encode it. */
function dataOf(value: Json | undefined): Uint8Array | undefined {
  const member = "account.data";
  const [text, encoding] = isArray(value) ? value : [value, "base58"];
  if (encoding === "base64") return base64Of(text, member);
  if (encoding === "base64+zstd") return decompress(base64Of(text, member));
  if (encoding !== "base58") throw malformed(member, "in a known encoding");
  return typeof text === "string" && TOO_LARGE.test(text) ? undefined : base58Of(text, member);
}

/** The largest account has 10 MiB: more is no account but an attempt to fill the memory. */
const MAX_BYTES = 10 * 2 ** 20 + 2 ** 16;

function decompress(bytes: Uint8Array): Uint8Array {
  try {
    return new Uint8Array(zstdDecompressSync(bytes, { maxOutputLength: MAX_BYTES }));
  } catch (cause) {
    throw malformed("account.data", "compressed with Zstandard", cause);
  }
}

/** Parsers by the program that owns the account, with the name of the program in the parsed form. */
const PARSERS: Readonly<Record<string, readonly [program: string, parse: AccountParser]>> = {
  ...NATIVE_PARSERS,
  [PROGRAM.token]: ["spl-token", parseToken],
  [PROGRAM.token2022]: ["spl-token-2022", parseToken],
};

/**
 * Returns the parsed form of an account; undefined when its program is unknown or its data has another format. The
 * decimals of a mint are not in the data of a token account: it has `amount` in place of `tokenAmount`. Code of programs
 * is omitted.
 */
export function parseAccount(address: string, owner: string, data: Uint8Array): ChainAccount["parsed"] {
  const [program, parse] = PARSERS[owner] ?? [];
  if (program === undefined || parse === undefined || data.length === 0) return undefined;
  // Programs can store other data than they usually do: what is not understood stays raw.
  const parsed = attempt(() => parse(new ByteReader(data), address));
  return parsed && { program, type: parsed.type, info: sortKeys(parsed.info) };
}
