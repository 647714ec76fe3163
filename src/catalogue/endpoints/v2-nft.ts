/** The v2 NFT endpoints (specification §7). */
import { COLLECTION_SIZES, NFT_ACTIVITIES, NFT_SIZES, STANDARD_SIZES } from "../constants.ts";
import { endpoint, rows } from "../endpoint.ts";
import {
  address,
  addresses,
  commaAddresses,
  DEPRECATED_BLOCK_TIME,
  IDENTIFIER,
  MINT,
  oneOf,
  order,
  pages,
  range,
  someOf,
  TIME_WINDOW,
  text,
} from "../param.ts";
import { NFT_COLLECTION, WRAPPED_SOL } from "../samples.ts";
import { ONE_ADDRESS } from "./common.ts";

const COLLECTION_NOTE = "Collections are identified by 64 hexadecimal digits, not by addresses.";

/** The v2 NFT endpoints. */
export const v2Nft = [
  endpoint("v2", "/nft/news", {
    summary: "Newest NFTs",
    query: {
      filter: oneOf(["created_time"], "Order of the list", {
        required: true,
        default: "created_time",
        note: "The only value; solx sends it automatically.",
      }),
      ...pages(NFT_SIZES),
    },
    returns: rows("Nft"),
    columns: `info.data.name as name, info.collection as collection, info.address as mint, info.createdTime as created`,
    newestFirst: true,
    identity: "info.address",
    notes: [
      "info.data is the metadata on the chain, info.meta the untrusted metadata published by the minter; any part can be missing.",
      "Royalties are in basis points. Where the sources differ, info.data is authoritative.",
    ],
    aliases: ["latest", "last"],
    examples: { "Newest NFTs": {}, "36 a page": { page_size: 36 } },
  }),
  endpoint("v2", "/nft/activities", {
    summary: "Sales, listings and bids",
    query: {
      from: commaAddresses("Only from these addresses", { note: ONE_ADDRESS, field: "from_address" }),
      to: commaAddresses("Only to these addresses", { note: ONE_ADDRESS, field: "to_address" }),
      source: addresses("Only on these marketplaces", { field: "marketplace_address" }),
      activity_type: someOf(NFT_ACTIVITIES, "Only activities of these types", { field: "activity_type" }),
      ...TIME_WINDOW,
      token: commaAddresses("Only these NFTs (mints)", { note: ONE_ADDRESS, field: "token_address" }),
      collection: text("Only this collection", { note: COLLECTION_NOTE, field: "collection_address" }),
      currency_token: address("Only prices in this currency (mint)", { ...MINT, field: "currency_token" }),
      price: range("decimal", "Minimum and maximum price, in whole units of the currency", { needs: "currency_token" }),
      ...pages(STANDARD_SIZES),
      ...DEPRECATED_BLOCK_TIME,
    },
    returns: rows("NftActivity"),
    columns: "block_time, activity_type, price, token_address, from_address, to_address, trans_id",
    newestFirst: true,
    identity: "trans_id, activity_type, token_address, from_address, to_address, price",
    notes: [
      "The price filter is in whole units of the currency; prices in answers are base units: divide by 10^currency_decimals.",
      "from_address and to_address can be empty; only sales always have both.",
      "collection_address is the identifier of the collection, despite its name.",
    ],
    aliases: ["activity"],
    examples: {
      "Latest sales": { activity_type: ["ACTIVITY_NFT_SOLD"] },
      "Sales of a collection between 1 and 10 SOL": {
        collection: NFT_COLLECTION,
        activity_type: ["ACTIVITY_NFT_SOLD"],
        currency_token: WRAPPED_SOL,
        price: ["1", "10"],
      },
    },
  }),
  endpoint("v2", "/nft/collection/lists", {
    summary: "Collections, by volume, size or floor price",
    query: {
      range: oneOf([1, 7, 30], "Days covered by the volume", { default: 1 }),
      ...order(["items", "floor_price", "volumes"], "volumes"),
      ...pages(COLLECTION_SIZES),
      collection: text("Only this collection", { note: COLLECTION_NOTE }),
    },
    returns: rows("NftCollection"),
    cachePolicy: "metadata",
    columns: `name, floor_price as floor, volumes as volume, volumes_change_24h as change 24h, items, symbol,
      collection_id`,
    identity: "collection_id",
    notes: [
      "floor_price and volumes are in SOL; the change always covers 24 hours.",
      "Names and symbols are not unique; collection_id is.",
      "Newer servers may reject a page size of 18.",
    ],
    aliases: ["collections", "collection-list"],
    examples: {
      "Collections with the highest volume of the day": {},
      "Last 30 days, by floor price": { range: 30, sort_by: "floor_price" },
    },
  }),
  endpoint("v2", "/nft/collection/items", {
    summary: "NFTs of a collection with their last trade or listing",
    query: {
      collection: text("Collection", { ...IDENTIFIER, note: COLLECTION_NOTE }),
      sort_by: oneOf(["last_trade", "listing_price"], "Sort key", { default: "last_trade" }),
      ...pages(NFT_SIZES),
    },
    returns: rows("NftCollectionItem"),
    cachePolicy: "metadata",
    columns: `info.token_name as name, stats.type|tradeInfo.type as type, stats.price|tradeInfo.price as price,
      stats.trade_time|tradeInfo.trade_time as traded, info.address as mint, stats.seller|tradeInfo.seller as seller,
      stats.buyer|tradeInfo.buyer as buyer`,
    echo: "info.collection_id",
    identity: "info.address",
    notes: [
      "The trade is tradeInfo in the specification and stats on newer servers.",
      "Prices are base units as text: divide by 10^currency_decimals.",
      "Listings have neither trade_time nor buyer.",
      "info.meta is untrusted metadata published by the minter; any part can be missing.",
    ],
    aliases: ["items", "collection-item"],
    examples: {
      "Recently traded NFTs": { collection: NFT_COLLECTION },
      "NFTs for sale": { collection: NFT_COLLECTION, sort_by: "listing_price" },
    },
  }),
];
