/** Mints with the metadata that they or the metadata program hold. */
import { isArray, isObject, type JsonObject } from "../../../base/index.ts";
import { amountOf } from "../members.ts";
import type { ChainAccount } from "../model.ts";
import { decodeMetadata, type TokenMetadata } from "./metaplex.ts";

/** The state of a mint. */
export interface Mint {
  readonly address: string;
  /** The token program. */
  readonly program: string;
  /** Base units. */
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
    supply: amountOf(supply, "supply"),
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
function ownMetadata(extensions: readonly JsonObject[] | undefined): Partial<TokenMetadata> | undefined {
  const state = extensions?.find(({ extension }) => extension === "tokenMetadata")?.state;
  if (!isObject(state)) return undefined;
  const text = (value: unknown) => (typeof value === "string" ? value : "");
  return { name: text(state.name), symbol: text(state.symbol), uri: text(state.uri) };
}
