/** What addresses are called, and the names in an answer: of tokens, accounts, programs, validators, NFTs and pools. */
import { fieldOf, isArray, isObject, type Json, type JsonObject } from "../../base/index.ts";
import { isAddress, tokenMintOf, WRAPPED_SOL, wellKnownToken } from "../../catalogue/index.ts";
import type { Role } from "../text/roles.ts";
import { safeText } from "../text/safe.ts";
import { clip } from "../text/width.ts";

/** What an address with a name is. */
export type NameKind = "token" | "program" | "account" | "validator" | "market" | "nft" | "collection";

/** A name in an answer. That of a market is the mints of its tokens, separated by `/`. */
export interface LearnedName {
  readonly address: string;
  readonly kind: NameKind;
  readonly name: string;
}

/** Levels and entries of an answer that are scanned. */
const MAX_DEPTH = 12;
const MAX_ENTRIES = 500;
/** The width of a name; longer ones are cut, and texts that are no names are ignored. */
const MAX_WIDTH = 32;
const MAX_LENGTH = 200;
/** Names of unknown programs, and of tokens without metadata. */
const NAMELESS = /^(unknown|unknown program|unknown token|-)?$/i;

/** Returns the names in an answer. */
export function collectNames(value: Json): readonly LearnedName[] {
  const names: LearnedName[] = [];
  scan(value, 0, names);
  return names;
}

function scan(value: Json, depth: number, names: LearnedName[]): void {
  if (depth > MAX_DEPTH) return;
  if (isArray(value)) {
    for (const item of value.slice(0, MAX_ENTRIES)) scan(item, depth + 1, names);
    return;
  }
  if (!isObject(value)) return;
  names.push(...SOURCES.flatMap((source) => source(value) ?? []));
  for (const [name, inner] of Object.entries(value).slice(0, MAX_ENTRIES)) {
    if (isForeign(name, inner)) continue;
    names.push(...keyedNames(name, inner));
    scan(inner, depth + 1, names);
  }
}

function keyedNames(address: string, about: Json): readonly LearnedName[] {
  if (!isObject(about) || !isAddress(address)) return [];
  const name =
    named("token", address, about.token_symbol) ??
    named("token", address, about.token_name) ??
    named("account", address, about.account_label);
  return name ? [name] : [];
}

/** Fields with data that anybody wrote, in any form: a label in it is not one of the API. */
const FOREIGN_FIELDS: ReadonlySet<string> = new Set([
  ...["meta", "metadata", "extensions", "state", "info", "params"],
  ...["data_raw", "data_decoded", "idl_data", "extra_data", "return_data"],
]);

/** Whether a field holds foreign data. Lists of rows are called `data` too. */
function isForeign(name: string, value: Json): boolean {
  return FOREIGN_FIELDS.has(name) || (name === "data" && isObject(value));
}

/** Texts that pass for an address, whole or shortened: the name of an address must not be another address. */
const ADDRESS_LIKE = /[1-9A-HJ-NP-Za-km-z]{32,}|^[1-9A-HJ-NP-Za-km-z]{3,12}(…|\.{2,4})[1-9A-HJ-NP-Za-km-z]{3,12}$/;

/** Returns a name as one line of safe text; undefined where it is none. */
function named(kind: NameKind, address: Json | undefined, name: Json | undefined): LearnedName | undefined {
  if (typeof address !== "string" || typeof name !== "string" || name.length > MAX_LENGTH) return undefined;
  if (kind === "collection" ? !COLLECTION.test(address) : !isAddress(address)) return undefined;
  const text = safeText(name).trim();
  return NAMELESS.test(text) || ADDRESS_LIKE.test(text) ? undefined : { address, kind, name: clip(text, MAX_WIDTH) };
}

/** Identifiers of collections: hexadecimal digits. */
const COLLECTION = /^[0-9a-f]{64}$/;

const own = (object: JsonObject, ...names: readonly string[]): Json | undefined => {
  const name = names.find((one) => Object.hasOwn(object, one));
  return name === undefined ? undefined : object[name];
};

/** The fields with the symbol of a token, in the spellings of all families. */
const SYMBOL_FIELDS = ["token_symbol", "symbol", "tokenSymbol"];

/** Whether an object describes an NFT, whose symbol is that of its collection. */
const isNft = (object: JsonObject) =>
  ["collection_id", "collectionId", "mintTx"].some((name) => Object.hasOwn(object, name)) || isOnlyOne(object);

/** Whether an object describes a token of which there is one, which cannot be divided. */
const isOnlyOne = ({ decimals, supply }: JsonObject) => String(decimals) === "0" && String(supply) === "1";

/** Where names are in the objects of answers. */
const SOURCES: readonly ((object: JsonObject) => LearnedName | undefined)[] = [
  // Labels, and domains of accounts without one.
  (object) =>
    named("account", object.account_address, own(object, "account_label")) ??
    named("account", object.account_address, own(object, "account_domain")),
  (object) => (isNft(object) ? undefined : named("token", tokenMintOf(object), own(object, ...SYMBOL_FIELDS))),
  // Instructions name their program; elsewhere `program` is its address.
  (object) => named("program", own(object, "program_id", "programId"), object.program),
  (object) => named("program", object.program, own(object, "program_name")),
  (object) => named("program", object.program_id, own(object, "program_name")),
  (object) => named("program", object.owner_program, own(object, "owner_name")),
  ({ vote_account, name }) => named("validator", vote_account, name),
  ({ vote_account, identity, name }) => (vote_account === undefined ? undefined : named("validator", identity, name)),
  readMarket,
  readNft,
  (object) => (isOnlyOne(object) ? named("nft", object.address, object.name) : undefined),
  ({ collection_id, address, name }) => (address === undefined ? named("collection", collection_id, name) : undefined),
  ({ info }) => (isObject(info) ? readCollection(info) : undefined),
];

function readMarket(object: JsonObject): LearnedName | undefined {
  const address = own(object, "pool_address", "pool_id");
  if (typeof address !== "string" || !isAddress(address)) return undefined;
  const reserves = own(object, "token_infos", "tokens_info");
  const mints = isArray(reserves)
    ? reserves.map((reserve) => fieldOf(reserve, "token"))
    : [own(object, "token1", "token_1"), own(object, "token2", "token_2")];
  const tokens = mints.flatMap((mint) => (typeof mint === "string" && isAddress(mint) ? [mint] : []));
  if (tokens.length !== 2 || mints.length !== 2) return undefined;
  return { address, kind: "market", name: orderPair(tokens).join("/") };
}

/** The tokens in which pools price others, the most usual one last. */
const QUOTES = [WRAPPED_SOL, wellKnownToken("USDT")?.mint, wellKnownToken("USDC")?.mint];

/** Returns the mints of a pool in the order of its name: answers list them in no fixed one. */
export function orderPair(mints: readonly string[]): readonly string[] {
  return mints.toSorted((a, b) => QUOTES.indexOf(a) - QUOTES.indexOf(b) || (a < b ? -1 : 1));
}

function readCollection({ collectionId, collection }: JsonObject): LearnedName | undefined {
  return named("collection", collectionId, collection);
}

/** Returns the NFT of a row, whose metadata is in `info`; those of decoded instructions are beside their program. */
function readNft({ info, program }: JsonObject): LearnedName | undefined {
  if (info === undefined || !isObject(info) || program !== undefined || !isNft(info)) return undefined;
  const data = info.data ?? null;
  return named("nft", info.address, own(info, "token_name") ?? (isObject(data) ? data.name : undefined));
}

/** The name of an address. */
export interface AddressName {
  /** One line of safe text. */
  readonly name: string;
  readonly kind: NameKind;
  readonly source: "own" | "built-in" | "answer";
  /** How the name imitates another one, such as `belongs to another token`. */
  readonly warning?: string;
}

/** Returns the name of an address; undefined when it is unknown. */
export type NameOf = (address: string) => AddressName | undefined;

/** The role in which names of a kind are styled. */
export const NAME_ROLES: Readonly<Record<NameKind, Role>> = {
  token: "token",
  program: "program",
  account: "account",
  validator: "account",
  market: "market",
  nft: "nft",
  collection: "nft",
};
