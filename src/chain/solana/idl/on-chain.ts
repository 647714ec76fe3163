/**
 * Finds the IDLs that programs publish on the chain: by Anchor's account, or by the Program Metadata program. IDLs are
 * data of strangers: reading one and decoding by it takes bounded time and memory, and one type that is not known does not
 * spoil the rest.
 */
import { Buffer } from "node:buffer";
import { promisify } from "node:util";
import { gunzip, inflate } from "node:zlib";
import { decodeBase58, isObject, type Json, type JsonObject, parseJson, toSentence } from "../../../base/index.ts";
import { readAccountValues } from "../accounts/account.ts";
import { addressWithSeed, programAddress } from "../addresses.ts";
import { ByteReader } from "../bytes.ts";
import type { NodeConnection } from "../connection.ts";
import { readIdl } from "./interpret.ts";
import { type Idl, InvalidIdl } from "./model.ts";

export * from "./interpret.ts";

type IdlSource = "anchor" | "program-metadata";

/** The result of a search: an IDL, none, or one that cannot be used, with the reason. */
export type IdlLookup =
  | {
      readonly kind: "found";
      readonly source: IdlSource;
      readonly address: string;
      readonly idl: Idl;
      readonly document: JsonObject;
    }
  | { readonly kind: "absent" }
  | { readonly kind: "unusable"; readonly source: IdlSource; readonly address: string; readonly reason: string };

/** Bytes of an IDL's text; the largest that are known have half a megabyte. */
const MAX_TEXT = 4 * 2 ** 20;
/** Accounts per request: a limit of nodes. */
const MAX_ACCOUNTS = 100;
const MAX_CACHED = 500;
const METADATA_PROGRAM = "ProgM6JCCvbYkfKqJYHePx4xxSUSqJp7rh8Lyv7nk7S";

const caches = new WeakMap<NodeConnection, Map<string, Promise<IdlLookup>>>();

/** Finds the IDL of a program. Results are cached for each connection. @throws the errors of the connection */
export async function fetchIdl(node: NodeConnection, program: string): Promise<IdlLookup> {
  return (await fetchIdls(node, [program])).get(program) ?? { kind: "absent" };
}

/** Finds the IDLs of programs in as few requests as possible. @throws the errors of the connection */
export async function fetchIdls(
  node: NodeConnection,
  programs: readonly string[],
): Promise<ReadonlyMap<string, IdlLookup>> {
  const cache = caches.get(node) ?? new Map<string, Promise<IdlLookup>>();
  caches.set(node, cache);
  const missing = [...new Set(programs)].filter((program) => !cache.has(program));
  for (let at = 0; at < missing.length; at += MAX_ACCOUNTS / 2) {
    const batch = missing.slice(at, at + MAX_ACCOUNTS / 2);
    const lookups = lookUp(node, batch);
    for (const [position, program] of batch.entries()) {
      const result = lookups.then((list) => list[position] ?? { kind: "absent" as const });
      cache.set(program, result);
      result.catch(() => cache.delete(program));
    }
  }
  const results = await Promise.all([...new Set(programs)].map(async (id) => [id, await cache.get(id)] as const));
  for (const program of cache.keys()) if (cache.size > MAX_CACHED) cache.delete(program);
  return new Map(results.flatMap(([program, result]) => (result ? [[program, result] as const] : [])));
}

async function lookUp(node: NodeConnection, programs: readonly string[]): Promise<readonly IdlLookup[]> {
  const addresses = await Promise.all(programs.map(deriveAddresses));
  const accounts = await readAccounts(node, addresses.flat());
  return Promise.all(
    addresses.map(async ([metadata, anchor], index) => {
      const byMetadata = await resultOf("program-metadata", metadata, accounts[index * 2], (account) =>
        metadataText(node, account),
      );
      if (byMetadata.kind === "found") return byMetadata;
      const byAnchor = await resultOf("anchor", anchor, accounts[index * 2 + 1], anchorText);
      return byAnchor.kind === "absent" ? byMetadata : byAnchor;
    }),
  );
}

/** Returns the addresses of a program's IDL: that of Program Metadata, and that of Anchor. */
async function deriveAddresses(program: string): Promise<readonly [metadata: string, anchor: string]> {
  const name = new Uint8Array(16);
  name.set(Buffer.from("idl"));
  const base = programAddress([], program);
  return Promise.all([
    programAddress([decodeBase58(program), name], METADATA_PROGRAM),
    addressWithSeed(base, "anchor:idl", program),
  ]);
}

interface RawAccount {
  readonly owner: string;
  readonly data: Uint8Array;
}

async function readAccounts(
  node: NodeConnection,
  addresses: readonly string[],
): Promise<readonly (RawAccount | undefined)[]> {
  const values = await readAccountValues(node, addresses, { encoding: "base64" }, { isLookup: true });
  return values.map((account) => {
    if (account.value === null) return undefined;
    const [data = account.at("data")] = account.at("data").list();
    return { owner: account.at("owner").text(), data: data.base64() };
  });
}

async function resultOf(
  source: IdlSource,
  address: string,
  account: RawAccount | undefined,
  textFrom: (account: RawAccount) => Promise<string>,
): Promise<IdlLookup> {
  if (account === undefined || account.data.length === 0) return { kind: "absent" };
  try {
    const document = parseDocument(await textFrom(account));
    return { kind: "found", source, address, idl: readIdl(document), document };
  } catch (error) {
    // Reads past the end of the data, and texts that are too large to inflate.
    const isInvalid = error instanceof InvalidIdl || error instanceof RangeError;
    if (isInvalid) return { kind: "unusable", source, address, reason: toSentence(error) };
    throw error;
  }
}

function parseDocument(text: string): JsonObject {
  let document: Json;
  try {
    document = parseJson(text);
  } catch (cause) {
    throw new InvalidIdl("the IDL is not JSON", { cause });
  }
  if (!isObject(document)) throw new InvalidIdl("the IDL is not an object");
  return document;
}

/** Returns the text in Anchor's account: 8 bytes that identify it, its authority, and the compressed text. */
async function anchorText({ data }: RawAccount): Promise<string> {
  const reader = new ByteReader(data, 8 + 32);
  return decompress(reader.take(reader.u32()), 2);
}

async function metadataText(node: NodeConnection, { owner, data }: RawAccount): Promise<string> {
  const reader = new ByteReader(data);
  if (owner !== METADATA_PROGRAM || reader.u8() !== METADATA_KIND)
    throw new InvalidIdl("the account holds no metadata");
  // The program, the authority, two flags and the name.
  reader.take(32 + 32 + 2 + 16);
  const [encoding, compression, format, source] = [reader.u8(), reader.u8(), reader.u8(), reader.u8()];
  const content = reader.take(reader.u32() + RESERVED).subarray(RESERVED);
  if (format > 1) throw new InvalidIdl(`the IDL is ${format === 2 ? "YAML" : "TOML"}, not JSON`);
  // An author's address on the internet is not requested without the user's consent.
  if (source === 1) throw new InvalidIdl("the IDL is not on the chain but at a URL, which solx does not fetch");
  const bytes = source === 0 ? content : await externalBytes(node, content);
  return decompress(decodeText(bytes, encoding), compression);
}

const METADATA_KIND = 2;
/** Unused bytes after the length. */
const RESERVED = 5;

/** Reads the content that an account of metadata refers to: a part of another account. */
async function externalBytes(node: NodeConnection, reference: Uint8Array): Promise<Uint8Array> {
  const reader = new ByteReader(reference);
  const [address, offset, length] = [reader.address(), reader.u32(), reader.u32()];
  const [account] = await readAccounts(node, [address]);
  if (account === undefined) throw new InvalidIdl("the account that contains the IDL does not exist");
  return account.data.subarray(offset, length === 0 ? undefined : offset + length);
}

/** Returns bytes that are stored as they are (0), as text in UTF-8 (1), base58 (2) or base64 (3). */
function decodeText(bytes: Uint8Array, encoding: number): Uint8Array {
  if (encoding < 2) return bytes;
  if (bytes.length > MAX_TEXT) throw new InvalidIdl("the IDL is too large");
  const text = Buffer.from(bytes).toString("latin1").replaceAll("\0", "").trim();
  if (encoding === 3) return Uint8Array.from(Buffer.from(text, "base64"));
  // The time that base58 takes grows with the square of the length.
  if (text.length > 50_000) throw new InvalidIdl("the IDL is too large for base58");
  return decodeBase58(text);
}

/** Returns the text of bytes that are not compressed (0), or compressed with gzip (1) or zlib (2). */
async function decompress(bytes: Uint8Array, compression: number): Promise<string> {
  if (bytes.length > MAX_TEXT) throw new InvalidIdl("the IDL is too large");
  if (compression === 0) return Buffer.from(bytes).toString("utf8");
  try {
    const unpack = promisify(compression === 1 ? gunzip : inflate);
    return (await unpack(bytes, { maxOutputLength: MAX_TEXT })).toString("utf8");
  } catch (cause) {
    throw new InvalidIdl("the IDL cannot be decompressed, or is too large", { cause });
  }
}
