/** Accounts of Metaplex: metadata and editions of tokens, and assets of MPL Core; and mints with their metadata. */
import { isArray, isObject, type JsonObject } from "../../../base/index.ts";
import { attempt, ByteReader } from "../bytes.ts";
import { Member } from "../members.ts";
import type { ChainAccount } from "../model.ts";

/** The standards of tokens, by the number that stands for each. */
const STANDARDS = [
  "NonFungible",
  "FungibleAsset",
  "Fungible",
  "NonFungibleEdition",
  "ProgrammableNonFungible",
  "ProgrammableNonFungibleEdition",
];

const METADATA_KEY = 4;

/** Returns the metadata in an account of the metadata program; undefined when it has another content. */
export function decodeMetadata(data: Uint8Array) {
  return attempt(() => {
    const reader = new ByteReader(data);
    if (reader.u8() !== METADATA_KEY) return undefined;
    return {
      updateAuthority: reader.address(),
      mint: reader.address(),
      name: paddedText(reader),
      symbol: paddedText(reader),
      uri: paddedText(reader),
      sellerFeeBasisPoints: reader.u16(),
      creators: optional(reader, () => reader.list(reader.u32(), () => readCreator(reader))) ?? [],
      primarySaleHappened: reader.bool(),
      isMutable: reader.bool(),
      ...(attempt(() => readLater(reader)) ?? { tokenStandard: undefined, collection: undefined }),
    };
  });
}

/** Members that later versions added: accounts that were not written since end before them. */
function readLater(reader: ByteReader) {
  // The bump of the account with the edition.
  optional(reader, () => reader.u8());
  const tokenStandard = optional(reader, () => STANDARDS[reader.u8()]);
  const collection = optional(reader, () => ({ verified: reader.bool(), address: reader.address() }));
  return { tokenStandard, collection };
}

/** Reads a creator of a token, with the share of the royalties in percent. */
const readCreator = (reader: ByteReader) => ({
  address: reader.address(),
  verified: reader.bool(),
  share: reader.u8(),
});

/** Text with zeros up to the size of its field. */
const paddedText = (reader: ByteReader): string => (reader.text(reader.u32()).split("\0", 1)[0] as string).trim();

const optional = <T>(reader: ByteReader, read: () => T): T | undefined => (reader.bool() ? read() : undefined);

const PRINT_KEY = 1;
const MASTER_KEYS = [2, 6];

/** Returns the edition in an account of the metadata program; undefined when it has another content. */
export function decodeEdition(data: Uint8Array) {
  return attempt(() => {
    const reader = new ByteReader(data);
    const key = reader.u8();
    if (key === PRINT_KEY) return { kind: "print" as const, parent: reader.address(), edition: reader.u64() };
    if (!MASTER_KEYS.includes(key)) return undefined;
    return { kind: "master" as const, supply: reader.u64(), maxSupply: optional(reader, () => reader.u64()) };
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

/** Reads a mint from its account and that of its metadata; undefined for other accounts. */
export function readMintAccount(
  account: ChainAccount | undefined,
  metadataAccount: ChainAccount | undefined,
): Mint | undefined {
  if (account?.parsed?.type !== "mint") return undefined;
  const { supply, decimals, mintAuthority, freezeAuthority, extensions } = account.parsed.info;
  const list = isArray(extensions) ? extensions.filter(isObject) : undefined;
  // The address of the metadata may hold something else.
  const published = metadataAccount?.data && decodeMetadata(metadataAccount.data);
  const metadata = ownMetadata(list) ?? published;
  return {
    address: account.address,
    program: account.owner,
    supply: new Member(supply, "supply").amount(),
    decimals: Number(decimals),
    mintAuthority: typeof mintAuthority === "string" ? mintAuthority : null,
    freezeAuthority: typeof freezeAuthority === "string" ? freezeAuthority : null,
    extensions: list,
    metadata: metadata && {
      name: metadata.name || undefined,
      symbol: metadata.symbol || undefined,
      uri: metadata.uri || undefined,
    },
    standard: published?.tokenStandard,
  };
}

/** Returns the metadata that a Token-2022 mint contains. */
function ownMetadata(
  extensions: readonly JsonObject[] | undefined,
): Record<"name" | "symbol" | "uri", string> | undefined {
  const state = extensions?.find(({ extension }) => extension === "tokenMetadata")?.state;
  if (!isObject(state)) return undefined;
  const text = (value: unknown) => (typeof value === "string" ? value : "");
  return { name: text(state.name), symbol: text(state.symbol), uri: text(state.uri) };
}
