/** Accounts of Metaplex: metadata and editions of tokens, and assets of MPL Core. */
import { ByteReader } from "../bytes.ts";

/** A creator of a token, with the share of the royalties in percent. */
export interface TokenCreator {
  readonly address: string;
  readonly verified: boolean;
  readonly share: number;
}

/** Metadata of a token. */
export interface TokenMetadata {
  readonly updateAuthority: string;
  readonly mint: string;
  readonly name: string;
  readonly symbol: string;
  readonly uri: string;
  /** Royalties in basis points. */
  readonly sellerFeeBasisPoints: number;
  readonly creators: readonly TokenCreator[];
  readonly primarySaleHappened: boolean;
  readonly isMutable: boolean;
  /** `NonFungible`, `FungibleAsset`, `Fungible`, `NonFungibleEdition`, `ProgrammableNonFungible`, … */
  readonly tokenStandard: string | undefined;
  readonly collection: { readonly address: string; readonly verified: boolean } | undefined;
}

/** An edition of an NFT. */
export type TokenEdition =
  | { readonly kind: "master"; readonly supply: bigint; readonly maxSupply: bigint | undefined }
  | { readonly kind: "print"; readonly parent: string; readonly edition: bigint };

/** An asset or a collection of MPL Core, without its plugins. */
export interface CoreAsset {
  readonly kind: "asset" | "collection";
  readonly name: string;
  readonly uri: string;
  /** Of assets. */
  readonly owner: string | undefined;
  readonly updateAuthority: string | undefined;
  /** The collection that an asset belongs to. */
  readonly collection: string | undefined;
}

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
export function decodeMetadata(data: Uint8Array): TokenMetadata | undefined {
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
function readLater(reader: ByteReader): Pick<TokenMetadata, "tokenStandard" | "collection"> {
  // The bump of the account with the edition.
  optional(reader, () => reader.u8());
  const tokenStandard = optional(reader, () => STANDARDS[reader.u8()]);
  const collection = optional(reader, () => ({ verified: reader.bool(), address: reader.address() }));
  return { tokenStandard, collection };
}

const readCreator = (reader: ByteReader): TokenCreator => ({
  address: reader.address(),
  verified: reader.bool(),
  share: reader.u8(),
});

/** Text with zeros up to the size of its field. */
const paddedText = (reader: ByteReader): string => trimZeros(reader.text(reader.u32()));

const trimZeros = (text: string): string => {
  const end = text.indexOf("\0");
  return (end < 0 ? text : text.slice(0, end)).trim();
};

const optional = <T>(reader: ByteReader, read: () => T): T | undefined => (reader.bool() ? read() : undefined);

const PRINT_KEY = 1;
const MASTER_KEYS = [2, 6];

/** Returns the edition in an account of the metadata program; undefined when it has another content. */
export function decodeEdition(data: Uint8Array): TokenEdition | undefined {
  return attempt(() => {
    const reader = new ByteReader(data);
    const key = reader.u8();
    if (key === PRINT_KEY) return { kind: "print", parent: reader.address(), edition: reader.u64() };
    if (!MASTER_KEYS.includes(key)) return undefined;
    return { kind: "master", supply: reader.u64(), maxSupply: optional(reader, () => reader.u64()) };
  });
}

const ASSET_KEY = 1;
const COLLECTION_KEY = 5;

/** Returns the asset or collection in an account of MPL Core; undefined when it has another content. */
export function decodeCoreAsset(data: Uint8Array): CoreAsset | undefined {
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
function readAuthority(reader: ByteReader): Pick<CoreAsset, "updateAuthority" | "collection"> {
  const kind = reader.u8();
  const address = kind === 0 ? undefined : reader.address();
  return kind === 2
    ? { updateAuthority: undefined, collection: address }
    : { updateAuthority: address, collection: undefined };
}

function attempt<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}
