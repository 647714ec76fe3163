/** Accounts of the Token Metadata program, byte for byte; litesvm does not have the program. */
import {
  type Address,
  address,
  getAddressEncoder,
  getProgramDerivedAddress,
  getStructEncoder,
  getU8Encoder,
  getU16Encoder,
  getU64Encoder,
} from "@solana/kit";
import type { Account } from "../account.ts";

export const METADATA_PROGRAM: Address = address("metaqbxxUerdq28cj1RbAWkYQm3ybzjb6a8bt518x1s");
const METADATA_SIZE = 679;
const MASTER_EDITION_SIZE = 282;
const [METADATA_KEY, MASTER_EDITION_KEY] = [4, 6];
/** The values of `TokenStandard`. */
const [NON_FUNGIBLE, FUNGIBLE] = [0, 2];
const LAMPORTS = 15_115_600n;

/** What metadata says. */
export interface Metadata {
  readonly mint: Address;
  readonly updateAuthority: Address;
  readonly name: string;
  readonly symbol: string;
  readonly uri: string;
  readonly sellerFeeBasisPoints: number;
  readonly creators: readonly { readonly address: Address; readonly verified: boolean; readonly share: number }[];
  readonly collection?: { readonly key: Address; readonly verified: boolean };
  readonly isFungible: boolean;
}

const u8 = (value: number) => getU8Encoder().encode(value);
const u16 = (value: number) => getU16Encoder().encode(value);
const key = (value: Address) => getAddressEncoder().encode(value);
const flag = (value: boolean) => u8(value ? 1 : 0);

/** A text that the program pads with zero bytes to a fixed length. */
function padded(text: string, length: number): Uint8Array {
  const bytes = new Uint8Array(4 + length);
  new DataView(bytes.buffer).setUint32(0, length, true);
  new TextEncoder().encodeInto(text, bytes.subarray(4));
  return bytes;
}

const account = (to: Address, data: Uint8Array): Account => ({
  address: to,
  lamports: LAMPORTS,
  owner: METADATA_PROGRAM,
  executable: false,
  data,
});

function join(parts: readonly ArrayLike<number>[], size: number): Uint8Array {
  const data = new Uint8Array(size);
  let offset = 0;
  for (const part of parts) {
    data.set(part, offset);
    offset += part.length;
  }
  return data;
}

/** Returns the metadata account of a mint. */
export async function metadataAccount(metadata: Metadata): Promise<Account> {
  const { mint, creators, collection } = metadata;
  const seeds = ["metadata", key(METADATA_PROGRAM), key(mint)];
  const [pda] = await getProgramDerivedAddress({ programAddress: METADATA_PROGRAM, seeds });
  const [, editionBump] = await getProgramDerivedAddress({
    programAddress: METADATA_PROGRAM,
    seeds: [...seeds, "edition"],
  });
  const data = join(
    [
      u8(METADATA_KEY),
      key(metadata.updateAuthority),
      key(mint),
      padded(metadata.name, 32),
      padded(metadata.symbol, 10),
      padded(metadata.uri, 200),
      u16(metadata.sellerFeeBasisPoints),
      flag(creators.length > 0),
      ...(creators.length > 0 ? [[creators.length, 0, 0, 0]] : []),
      ...creators.flatMap(({ address: creator, verified, share }) => [key(creator), flag(verified), u8(share)]),
      flag(false),
      flag(true),
      flag(true),
      u8(editionBump),
      flag(true),
      u8(metadata.isFungible ? FUNGIBLE : NON_FUNGIBLE),
      flag(collection !== undefined),
      ...(collection ? [flag(collection.verified), key(collection.key)] : []),
    ],
    METADATA_SIZE,
  );
  return account(pda, data);
}

/** Returns the master edition of an NFT, without further prints. */
export function masterEditionAccount(edition: Address): Account {
  const header = getStructEncoder([
    ["key", getU8Encoder()],
    ["supply", getU64Encoder()],
    ["hasMaxSupply", getU8Encoder()],
    ["maxSupply", getU64Encoder()],
  ]);
  const bytes = header.encode({ key: MASTER_EDITION_KEY, supply: 0n, hasMaxSupply: 1, maxSupply: 0n });
  return account(edition, join([bytes], MASTER_EDITION_SIZE));
}
