/** Accounts in a node's answers, in every encoding, parsed into the form of the encoding jsonParsed. */
import { zstdDecompressSync } from "node:zlib";
import { isArray, isObject, type Json, type JsonObject, SolxError } from "../../../base/index.ts";
import { PROGRAM } from "../../../catalogue/index.ts";
import { attempt } from "../bytes.ts";
import { type CallOptions, isCallDenied, type NodeConnection } from "../connection.ts";
import { Member } from "../members.ts";
import type { ChainAccount } from "../model.ts";
import { type AccountLayout, describeLayout, readLayout, type SelectLayout } from "./layout.ts";
import { NATIVE_SELECTIONS } from "./native.ts";
import { selectToken } from "./token.ts";

/** What nodes answer in place of data that base58 would take too long for. */
const TOO_LARGE = /^error: data too large/;

/**
 * Returns an account of a node's answer (`value` of `getAccountInfo`, `account` of lists). Data that the node did not
 * parse is parsed here where its format is known.
 * @throws ServerError when the answer is malformed
 */
export function decodeAccount(address: string, value: Json | undefined): ChainAccount {
  const account = new Member(value, "account");
  const owner = account.at("owner").address();
  const stored = account.at("data");
  const isParsed = isObject(stored.value);
  const data = isParsed ? undefined : decodeData(stored);
  return {
    address,
    lamports: account.at("lamports").lamports(),
    owner,
    executable: account.at("executable").value === true,
    rentEpoch: account.at("rentEpoch").optional()?.whole() ?? 0n,
    // Newer nodes report the size of the account, older ones only that of parsed accounts.
    space: (account.at("space").optional() ?? (isParsed ? stored.at("space").optional() : undefined))?.count(),
    data,
    parsed: isParsed ? readParsed(stored) : data && parseAccount(address, owner, data),
  };
}

/** Accounts that a node lists, and the slot of their state: 0 where an old node does not say it. */
export interface AccountStates {
  readonly slot: number;
  readonly accounts: readonly ChainAccount[];
}

/** Returns the accounts of a list of `{pubkey, account}`, which old nodes answer without a context. */
export function decodeAccounts(result: Json): AccountStates {
  const list = isArray(result) ? new Member(result).list() : valuesOf(result);
  // A node that repeats an account has it once.
  const byAddress = new Map(list.map((row) => [row.at("pubkey").address(), row.at("account").value]));
  return { slot: slotOf(result), accounts: [...byAddress].map(([address, value]) => decodeAccount(address, value)) };
}

/** The methods that return accounts by their addresses. */
const ACCOUNT_METHODS = ["getMultipleAccounts", "getAccountInfo"] as const;

/** How accounts are read. */
interface AccountReading {
  /** The method that is called first. */
  readonly first?: (typeof ACCOUNT_METHODS)[number];
  /** Whether it is usual that accounts do not exist: they are not asked for again. */
  readonly isLookup?: boolean;
  readonly sending?: CallOptions;
}

/**
 * Reads accounts as the node returns them, at most 100: by the method that is named first, or by the other one where the
 * node denies it. Those that do not exist are asked for again, a single one by the other method: of several nodes behind
 * one address, one may lag.
 */
export async function readAccountValues(
  node: NodeConnection,
  addresses: readonly string[],
  options: JsonObject,
  { first = "getMultipleAccounts", isLookup, sending }: AccountReading = {},
): Promise<readonly Member[]> {
  const config = { commitment: node.commitment, ...options };
  const readMany = async (addresses: readonly string[]) => {
    const values = valuesOf(await node.call("getMultipleAccounts", [addresses, config], sending));
    // A longer list does not say which account is which, either.
    if (values.length !== addresses.length) throw new Member(null, "result.value").malformed("a list of the accounts");
    return values;
  };
  const readEach = async (addresses: readonly string[]) => {
    const calls = addresses.map((address) => ({ method: "getAccountInfo", params: [address, config] }));
    const [only] = calls;
    const results =
      only && calls.length === 1
        ? [await node.call(only.method, only.params, sending)]
        : await node.callMany(calls, sending);
    return results.map((result) => {
      if (result instanceof SolxError) throw result;
      const value = new Member(result).at("value");
      // Null is an account that does not exist.
      if (value.value === undefined) throw value.malformed("an account");
      return value;
    });
  };
  const [read, readInstead] = first === "getAccountInfo" ? [readEach, readMany] : [readMany, readEach];
  const values = await read(addresses).catch((error: unknown) => {
    if (!isCallDenied(error)) throw error;
    return readInstead(addresses).catch((other: unknown) => {
      throw isCallDenied(other) ? error : other;
    });
  });
  const absent = addresses.filter((_, at) => !values[at]?.optional());
  if (absent.length === 0 || isLookup) return values;
  const again = await (absent.length === 1 ? readInstead : readMany)(absent).catch((error: unknown) => {
    if (!isCallDenied(error)) throw error;
    return [];
  });
  const found = new Map(absent.map((address, at) => [address, again[at]]));
  return values.map((value, at) => value.optional() ?? found.get(addresses[at] ?? "") ?? value);
}

/** Returns the list in the `value` of an answer with a context. */
export const valuesOf = (result: Json): readonly Member[] => new Member(result).at("value").list();

/** Returns the slot in the context of an answer. */
export const slotOf = (result: Json): number =>
  isObject(result) && isObject(result.context) ? new Member(result).at("context").at("slot").count() : 0;

function readParsed(data: Member): ChainAccount["parsed"] {
  const parsed = data.at("parsed");
  const info = parsed.at("info").value;
  return {
    program: data.at("program").text(),
    type: parsed.at("type").text(),
    info: isObject(info) ? info : isArray(info) ? { entries: info } : {},
  };
}

/** Returns the bytes of an account's data; undefined where the node refused to encode it. */
function decodeData(stored: Member): Uint8Array | undefined {
  const [data = stored, { value: encoding } = { value: "base58" }] = isArray(stored.value) ? stored.list() : [];
  if (encoding === "base64") return data.base64();
  if (encoding === "base64+zstd") return decompress(data);
  if (encoding !== "base58") throw stored.malformed("in a known encoding");
  return typeof data.value === "string" && TOO_LARGE.test(data.value) ? undefined : data.base58();
}

/** The largest account has 10 MiB: more is no account but an attempt to fill the memory. */
const MAX_BYTES = 10 * 2 ** 20 + 2 ** 16;

function decompress(data: Member): Uint8Array {
  const bytes = data.base64();
  try {
    return new Uint8Array(zstdDecompressSync(bytes, { maxOutputLength: MAX_BYTES }));
  } catch (cause) {
    throw data.malformed("compressed with Zstandard", cause);
  }
}

/** Selections of layouts by the program that owns the account, with the name of the program in the parsed form. */
const SELECTIONS: Readonly<Record<string, readonly [program: string, select: SelectLayout]>> = {
  ...NATIVE_SELECTIONS,
  [PROGRAM.token]: ["spl-token", selectToken],
  [PROGRAM.token2022]: ["spl-token-2022", selectToken],
};

/**
 * Returns the parsed form of an account; undefined when its program is unknown or its data has another format. The
 * decimals of a mint are not in the data of a token account: it has `amount` in place of `tokenAmount`. Code of programs
 * is omitted.
 */
export function parseAccount(address: string, owner: string, data: Uint8Array): ChainAccount["parsed"] {
  const [program = ""] = SELECTIONS[owner] ?? [];
  const parsed = withLayout(address, owner, data, (layout) => readLayout(layout, data));
  return parsed && { program, ...parsed };
}

/** Returns the fields of an account with their types; undefined where {@link parseAccount} returns nothing. */
export const describeAccount = (address: string, owner: string, data: Uint8Array) =>
  withLayout(address, owner, data, (layout) =>
    readLayout(layout, data) ? { name: layout.name, data: describeLayout(layout, data) } : undefined,
  );

/** Returns what a function reads with the layout of an account; undefined for one that has another format. */
function withLayout<T>(address: string, owner: string, data: Uint8Array, read: (layout: AccountLayout) => T) {
  const [, select] = SELECTIONS[owner] ?? [];
  if (select === undefined || data.length === 0) return undefined;
  // Programs can store other data than they usually do: what is not understood stays raw.
  return attempt(() => {
    const layout = select(data, address);
    return layout && read(layout);
  });
}
