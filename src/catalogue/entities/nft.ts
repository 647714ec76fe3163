/** NFTs, their collections and their trades (specification §3). */
import * as z from "zod";
import { NFT_ACTIVITIES } from "../constants.ts";
import { compared, eventFields, f, unchecked } from "../fields.ts";
import type { FieldMeta } from "../kinds.ts";

const verified = z
  .union([z.number(), z.boolean()])
  .meta({ kind: "boolean", description: "Whether the creator signed: 0 or 1, or a boolean" } satisfies FieldMeta);

const Creator = z.looseObject({
  address: f.address("The creator"),
  verified: verified.optional(),
  share: f.percent("Share of the royalties"),
});

/** The on-chain metadata, with its own field names. */
const ChainMetadata = z.looseObject({
  name: f.text("Name"),
  symbol: f.text("Symbol"),
  uri: f.url("URI of the published metadata"),
  sellerFeeBasisPoints: f.number("Royalties in basis points (690 is 6.9 %)"),
  creators: f.objects("Creators and their shares", Creator),
  id: f.number("Number in the edition, parsed from the name").optional(),
});

const Attribute = z.looseObject({
  trait_type: f.published("text", "Trait"),
  value: f.published("text", "Value of the trait"),
});

const MediaFile = z.looseObject({
  uri: f.published("url", "URI of the file"),
  type: f.published("text", "Media type, such as image/png"),
});

const PublishedCreator = z.looseObject({
  address: f.published("address", "The creator"),
  share: f.published("percent", "Share of the royalties"),
  verified: f.published("boolean", "Whether the creator signed"),
});

const Properties = z.looseObject({
  files: unchecked(f.objects("Files", MediaFile)).optional(),
  category: f.published("text", "Category, such as image"),
  creators: unchecked(f.objects("Creators as published; data.creators is authoritative", PublishedCreator)).optional(),
});

const PublishedCollection = z.looseObject({
  name: f.published("text", "Name"),
  family: f.published("text", "Family"),
});

/** The off-chain metadata. */
const PublishedMetadata = z.looseObject({
  image: f.published("url", "Icon"),
  tokenId: f.published("number", "Number in the edition"),
  name: f.published("text", "Name"),
  symbol: f.published("text", "Symbol"),
  description: f.published("text", "Description"),
  seller_fee_basis_points: f.published(
    "number",
    "Royalties in basis points; data.sellerFeeBasisPoints is authoritative",
  ),
  edition: f.published("number", "Edition"),
  external_url: f.published("url", "Website"),
  attributes: unchecked(f.objects("Traits", Attribute)).optional(),
  properties: unchecked(f.object("Files and category", Properties)).optional(),
  collection: unchecked(f.object("Collection as published", PublishedCollection)).optional(),
  retried: f.published("number", "Number of retries to fetch the metadata"),
});

const metadata = {
  data: f.object("Metadata on the chain", ChainMetadata).optional(),
  meta: unchecked(f.object("Untrusted metadata published by the minter", PublishedMetadata)).nullish(),
};

const NftInfo = z.looseObject({
  address: f.address("Mint of the NFT"),
  collection: f.text("Name of the collection").nullish(),
  collectionId: f.hash("Identifier of the collection, 64 hexadecimal digits").nullish(),
  collectionKey: f.address("Address of the collection on the chain").nullish(),
  createdTime: f.unixTime("Creation time of the NFT").nullish(),
  ...metadata,
  mintTx: f.signature("Transaction that minted it").nullish(),
  retried: f.number("Number of retries to fetch the metadata").optional(),
});

/** A new NFT. */
export const Nft = z.looseObject({
  info: f.object("The NFT", NftInfo),
});

/** A sale, listing or bid. */
export const NftActivity = z.looseObject({
  ...eventFields,
  activity_type: f.enum("Type of the activity", NFT_ACTIVITIES),
  from_address: f.address("Seller or owner; can be empty"),
  to_address: f.address("Buyer; can be empty"),
  token_address: f.address("Mint of the NFT"),
  marketplace_address: f.program("Program of the marketplace"),
  collection_address: f.hash("Identifier of the collection (64 hexadecimal digits), despite the name"),
  amount: f.count("Quantity; usually 1"),
  price: f.tokenAmount("Price in base units of the currency", "currency_decimals"),
  currency_token: f.address("Mint of the currency"),
  currency_decimals: f.count("Decimals of the currency"),
});

/** A collection and its market. */
export const NftCollection = z.looseObject({
  collection_id: f.hash("Identifier, 64 hexadecimal digits"),
  name: f.text("Name, not unique").nullable(),
  symbol: f.text("Symbol, not unique").nullable(),
  floor_price: f.sol("Lowest listing price"),
  items: f.count("NFTs in the collection"),
  marketplaces: f.list("Programs of the marketplaces", f.program("Marketplace")),
  volumes: compared(f.sol("Volume in the requested range")),
  volumes_change_24h: f.changeText("Volume change in 24 hours, regardless of the range").optional(),
  total_vol_prev_24h: f.sol("Volume in the previous 24 hours").optional(),
});

const NftTrade = z.looseObject({
  type: f.enum("Type of the activity", ["Buy", "Listing"]),
  trade_time: f.unixTime("Time of the trade; missing for listings").optional(),
  signature: f.signature("Signature of the transaction"),
  market_id: f.program("Program of the marketplace"),
  price: f.tokenAmountText("Price in base units of the currency", "currency_decimals"),
  currency_token: f.address("Mint of the currency"),
  currency_decimals: f.count("Decimals of the currency"),
  seller: f.address("Seller or lister"),
  buyer: f.address("Buyer; missing for listings").optional(),
});

const CollectionItemInfo = z.looseObject({
  address: f.address("Mint of the NFT"),
  token_name: f.text("Name").nullish(),
  token_symbol: f.text("Symbol").nullish(),
  collection_id: f.hash("Identifier of the collection"),
  ...metadata,
  mint_tx: f.signature("Transaction that minted it").nullish(),
  created_time: f.unixTime("Creation time of the NFT; often unknown").nullish(),
});

/** An NFT of a collection with its last trade or listing, whose field has two names. */
export const NftCollectionItem = z.looseObject({
  info: f.object("The NFT", CollectionItemInfo),
  tradeInfo: f.object("Last trade or listing", NftTrade).optional(),
  stats: f.object("Same value on newer servers", NftTrade).optional(),
});
