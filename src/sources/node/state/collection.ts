/** NFTs of a collection: of the metadata program, and of Metaplex Core. */
import { type JsonObject, omitUndefined, UsageError } from "../../../base/index.ts";
import { isAddress } from "../../../catalogue/index.ts";
import {
  type ChainAccount,
  decodeBase58,
  decodeCoreAsset,
  decodeMetadata,
  encodeBase58,
  PROGRAM,
} from "../../../chain/solana/index.ts";
import type { AnswerContext, NodeAnswer } from "../answer.ts";
import { accountsOf } from "./accounts.ts";
import { pageOf } from "./values.ts";

/** Where metadata names the collection: after the creators, of which there are at most five. */
const COLLECTION_OFFSETS = [330, 368, 402, 436, 470, 504];
/** Where an asset of Metaplex Core has its type and its update authority, and their values in a collection. */
const CORE_ASSET = "2";
const CORE_AUTHORITY_OFFSET = 33;
const CORE_COLLECTION = 2;

/** `/nft/collection/items`, by address. */
export const collectionItems: NodeAnswer = async (context) => {
  const { params, session } = context;
  const collection = params.required("collection");
  if (!isAddress(collection)) {
    throw new UsageError(
      "A Solana node knows collections by their address only, not by the identifier of the service.",
      {
        code: "COLLECTION_IDENTIFIER",
        hint: "Give the mint of the collection.",
      },
    );
  }
  const items = await session.once(`collection ${collection}`, () => readItems(context, collection));
  return { data: pageOf(items, params.integer("page"), params.integer("page_size")).map((info) => ({ info })) };
};

/** Reads all NFTs of a collection, sorted by name. */
async function readItems(context: AnswerContext, collection: string): Promise<readonly JsonObject[]> {
  const { node, sending } = context;
  const accountsWith = async (program: string, ...filters: readonly JsonObject[]) => {
    const options = { commitment: node.commitment, encoding: "base64", filters };
    return accountsOf(await node.call("getProgramAccounts", [program, options], sending));
  };
  const memcmp = (offset: number, bytes: string) => ({ memcmp: { offset, bytes } });
  const authority = encodeBase58(Uint8Array.of(CORE_COLLECTION, ...decodeBase58(collection)));
  const [assets, ...lists] = await Promise.all([
    accountsWith(PROGRAM.mplCore, memcmp(0, CORE_ASSET), memcmp(CORE_AUTHORITY_OFFSET, authority)),
    ...COLLECTION_OFFSETS.map((offset) => accountsWith(PROGRAM.tokenMetadata, memcmp(offset, collection))),
  ]);
  const items = [...assets.flatMap(coreItem), ...lists.flat().flatMap((account) => metadataItem(account, collection))];
  return items.sort((a, b) => NAME_ORDER.compare(String(a.token_name), String(b.token_name)));
}

/** Sorts `#2` before `#10`. */
const NAME_ORDER = new Intl.Collator("en", { numeric: true });

function coreItem({ address, data }: ChainAccount): readonly JsonObject[] {
  const asset = data && decodeCoreAsset(data);
  return asset ? [omitUndefined({ address, token_name: asset.name, data: { name: asset.name, uri: asset.uri } })] : [];
}

function metadataItem({ data }: ChainAccount, collection: string): readonly JsonObject[] {
  const metadata = data && decodeMetadata(data);
  // The bytes at the offset can be something else that equals the address.
  if (metadata?.collection?.address !== collection || !metadata.collection.verified) return [];
  const { mint, name, symbol, uri, sellerFeeBasisPoints, creators } = metadata;
  return [
    {
      address: mint,
      token_name: name,
      token_symbol: symbol,
      data: {
        name,
        symbol,
        uri,
        sellerFeeBasisPoints,
        creators: creators.map((creator) => ({ ...creator, verified: creator.verified ? 1 : 0 })),
      },
    },
  ];
}
