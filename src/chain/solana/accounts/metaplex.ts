/** Accounts of Metaplex: metadata and editions of tokens, and assets of MPL Core; and mints with their metadata. */
import { isArray, isObject, type JsonObject } from "../../../base/index.ts";
import { PROGRAM } from "../../../catalogue/index.ts";
import { attempt, ByteReader } from "../bytes.ts";
import { MAX_BYTE, Member } from "../members.ts";
import type { ChainAccount } from "../model.ts";
import {
  address,
  base64Bytes,
  bool,
  byteOf,
  constant,
  list32,
  option,
  padTo,
  type ReadValue,
  readFields,
  struct,
  u8,
  u16,
  u64Text,
  valueType,
} from "../values.ts";
import type { AccountLayout } from "./layout.ts";

/** The standards of tokens, by the number that stands for each. */
const STANDARDS = [
  "NonFungible",
  "FungibleAsset",
  "Fungible",
  "NonFungibleEdition",
  "ProgrammableNonFungible",
  "ProgrammableNonFungibleEdition",
];

/** Texts with zeros up to the size of their fields. */
const padded = (size: number): ReadValue =>
  valueType((reader) => (reader.text(reader.u32()).split("\0", 1)[0] as string).trim(), {
    type: "string",
    write(writer, value) {
      writer.integer(BigInt(size), 4);
      writer.bytes(fittingText(String(value ?? ""), size), size);
    },
  });

/** Returns the bytes of a text without the characters that do not fit. */
function fittingText(text: string, size: number): Uint8Array {
  const bytes = new Uint8Array(size);
  return bytes.subarray(0, new TextEncoder().encodeInto(text, bytes).written);
}

const METADATA_KEY = 4;
/** Sizes of accounts, as the program creates them since 2024. */
const METADATA_BYTES = 607;
const MASTER_BYTES = 282;
const PRINT_BYTES = 241;
/** Bytes of an edition marker, with one bit for each of its prints. */
const MARKER_BITS_BYTES = 31;

const METADATA_FIELDS = {
  "#key": constant(u8, METADATA_KEY),
  updateAuthority: address,
  mint: address,
  name: padded(32),
  symbol: padded(10),
  uri: padded(200),
  sellerFeeBasisPoints: u16,
  /** Creators of a token, with their shares of the royalties in percent. */
  creators: option(list32(struct({ address, verified: bool, share: u8 }, "Creator"))),
  primarySaleHappened: bool,
  isMutable: bool,
};

/** Members that later versions added: accounts that were not written since end before them. */
const LATER_FIELDS = {
  /** The bump of the account with the edition. */
  editionNonce: option(u8),
  tokenStandard: option(byteOf(STANDARDS)),
  collection: option(struct({ verified: bool, address }, "Collection")),
};

const MASTER_KEYS = [2, 6];
const PRINT_KEY = 1;
const MARKER_KEY = 7;
const MASTER_FIELDS = { "#key": constant(u8, 6), supply: u64Text, maxSupply: option(u64Text) };
const PRINT_FIELDS = { "#key": constant(u8, PRINT_KEY), parent: address, edition: u64Text };

/** The layouts of the metadata program's accounts. */
export const METAPLEX_LAYOUTS = {
  metadata: {
    type: "metadata",
    name: "Metadata",
    fields: { ...METADATA_FIELDS, ...LATER_FIELDS, "#padding": padTo(METADATA_BYTES) },
  },
  masterEdition: {
    type: "masterEdition",
    name: "MasterEditionV2",
    fields: { ...MASTER_FIELDS, "#padding": padTo(MASTER_BYTES) },
  },
  edition: { type: "edition", name: "EditionV1", fields: { ...PRINT_FIELDS, "#padding": padTo(PRINT_BYTES) } },
  editionMarker: {
    type: "editionMarker",
    name: "EditionMarker",
    fields: { "#key": constant(u8, MARKER_KEY), ledger: base64Bytes(MARKER_BITS_BYTES) },
  },
} satisfies Record<string, AccountLayout>;

/** The metadata of a token. */
interface Metadata {
  readonly updateAuthority: string;
  readonly mint: string;
  readonly name: string;
  readonly symbol: string;
  readonly uri: string;
  readonly sellerFeeBasisPoints: number;
  readonly creators: readonly { readonly address: string; readonly verified: boolean; readonly share: number }[];
  readonly primarySaleHappened: boolean;
  readonly isMutable: boolean;
  readonly tokenStandard: string | undefined;
  readonly collection: { readonly verified: boolean; readonly address: string } | undefined;
}

/** Returns the metadata in an account of the metadata program; undefined when it has another content. */
export function decodeMetadata(data: Uint8Array): Metadata | undefined {
  return attempt(() => {
    if (data[0] !== METADATA_KEY) return undefined;
    const reader = new ByteReader(data);
    const { creators, ...metadata } = readFields(reader, METADATA_FIELDS);
    const { tokenStandard, collection } = attempt(() => readFields(reader, LATER_FIELDS)) ?? {};
    const later = { tokenStandard: tokenStandard ?? undefined, collection: collection ?? undefined };
    return { ...metadata, creators: creators ?? [], ...later } as unknown as Metadata;
  });
}

/** Returns the edition in an account of the metadata program; undefined when it has another content. */
export function decodeEdition(data: Uint8Array) {
  return attempt(() => {
    const [key = 0] = data;
    const reader = new ByteReader(data);
    if (key === PRINT_KEY) return { kind: "print" as const, ...readFields(reader, PRINT_FIELDS) };
    return MASTER_KEYS.includes(key) ? { kind: "master" as const, ...readFields(reader, MASTER_FIELDS) } : undefined;
  });
}

const ASSET_KEY = 1;
const COLLECTION_KEY = 5;

/** Returns the asset or collection in an account of MPL Core, without plugins; undefined when it has another content. */
export function decodeCoreAsset(data: Uint8Array) {
  return attempt(() => {
    const reader = new ByteReader(data);
    const key = reader.u8();
    if (key !== ASSET_KEY && key !== COLLECTION_KEY) return undefined;
    const isAsset = key === ASSET_KEY;
    const owner = isAsset ? reader.address() : undefined;
    const authority = isAsset ? readAuthority(reader) : { updateAuthority: reader.address(), collection: undefined };
    const text = () => reader.text(reader.u32());
    return { kind: isAsset ? "asset" : "collection", owner, ...authority, name: text(), uri: text() };
  });
}

/** The authority of an asset is missing, an address, or the collection that it belongs to. */
function readAuthority(reader: ByteReader) {
  const kind = reader.u8();
  const address = kind === 0 ? undefined : reader.address();
  return kind === 2
    ? { updateAuthority: undefined, collection: address }
    : { updateAuthority: address, collection: undefined };
}

/** The state of a mint. */
export interface Mint {
  readonly address: string;
  readonly program: string;
  readonly supply: bigint;
  readonly decimals: number;
  readonly mintAuthority: string | null;
  readonly freezeAuthority: string | null;
  /** Token-2022 extensions as nodes write them; undefined for plain mints. */
  readonly extensions: readonly JsonObject[] | undefined;
  /** From the mint's own metadata, else from the metadata program; undefined where there is none. */
  readonly metadata: Readonly<Record<"name" | "symbol" | "uri", string | undefined>> | undefined;
  /** The standard that the metadata program knows. */
  readonly standard: string | undefined;
}

/**
 * Reads a mint from its account and that of its metadata; undefined for other accounts.
 * @throws ServerError when the metadata is that of another mint
 */
export function readMintAccount(
  account: ChainAccount | undefined,
  metadataAccount: ChainAccount | undefined,
): Mint | undefined {
  if (metadataAccount?.parsed?.type === "mint") throw foreignMetadata(metadataAccount);
  if (account?.parsed?.type !== "mint") return undefined;
  const { extensions } = account.parsed.info;
  const info = new Member(account.parsed.info, "mint");
  // Null says that there is none; without the member, there may be one.
  const authority = (name: string) => (info.at(name).value === null ? null : info.at(name).address());
  const list = isArray(extensions) ? extensions.filter(isObject) : undefined;
  // The address of the metadata may hold something else.
  const published = metadataAccount?.data && decodeMetadata(metadataAccount.data);
  const isForeign = published && metadataAccount?.owner === PROGRAM.tokenMetadata && published.mint !== account.address;
  if (isForeign) throw foreignMetadata(metadataAccount);
  const metadata = ownMetadata(list) ?? published;
  return {
    address: account.address,
    program: account.owner,
    supply: info.at("supply").amount(),
    decimals: info.at("decimals").count(MAX_BYTE),
    mintAuthority: authority("mintAuthority"),
    freezeAuthority: authority("freezeAuthority"),
    extensions: list,
    metadata: metadata && {
      name: metadata.name || undefined,
      symbol: metadata.symbol || undefined,
      uri: metadata.uri || undefined,
    },
    standard: published?.tokenStandard,
  };
}

const foreignMetadata = ({ address }: ChainAccount) =>
  new Member(address, `the account ${address}`).malformed("the metadata of its mint");

/** Returns the metadata that a Token-2022 mint contains. */
function ownMetadata(
  extensions: readonly JsonObject[] | undefined,
): Record<"name" | "symbol" | "uri", string> | undefined {
  const state = extensions?.find(({ extension }) => extension === "tokenMetadata")?.state;
  if (!isObject(state)) return undefined;
  const text = (value: unknown) => (typeof value === "string" ? value : "");
  return { name: text(state.name), symbol: text(state.symbol), uri: text(state.uri) };
}
