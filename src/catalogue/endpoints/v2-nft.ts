/** The v2 NFT endpoints (specification §7). */
import { COLLECTION_SIZES, NFT_ACTIVITIES, NFT_SIZES, STANDARD_SIZES } from "../constants.ts";
import { endpoint, rows } from "../endpoint.ts";
import {
  address,
  addresses,
  commaAddresses,
  deprecatedBlockTime,
  IDENTIFIER,
  oneOf,
  order,
  pages,
  range,
  someOf,
  text,
  timeWindow,
} from "../param.ts";
import { NFT_COLLECTION, WRAPPED_SOL } from "../samples.ts";
import { ONE_ADDRESS } from "./common.ts";

const COLLECTION_NOTE = "Identifiers of collections are 64 hexadecimal digits, not addresses.";

/** The v2 NFT endpoints. */
export const v2Nft = [
  endpoint({
    family: "v2",
    path: "/nft/news",
    summary: "The newest NFTs",
    query: {
      filter: oneOf(["created_time"], "What makes an NFT new", {
        required: true,
        default: "created_time",
        note: "Required by the specification, with one value: it is sent for you.",
      }),
      ...pages(NFT_SIZES),
    },
    returns: rows("Nft"),
    columns: [
      { path: "info.data.name", head: "name" },
      { path: "info.collection", head: "collection" },
      { path: "info.address", head: "mint" },
      { path: "info.createdTime", head: "created" },
    ],
    newestFirst: true,
    identity: ["info.address"],
    notes: [
      "info.data is what the chain holds, info.meta what the minter publishes elsewhere: untrusted, and any part may be missing.",
      "Royalties are basis points, and the two sources may differ: info.data counts.",
    ],
    aliases: ["latest", "last"],
    examples: [
      { about: "The newest NFTs", params: {} },
      { about: "36 a page", params: { page_size: 36 } },
    ],
  }),
  endpoint({
    family: "v2",
    path: "/nft/activities",
    summary: "Sales, listings and bids",
    query: {
      from: commaAddresses("Only from these addresses", { note: ONE_ADDRESS }),
      to: commaAddresses("Only to these addresses", { note: ONE_ADDRESS }),
      source: addresses("Only on these marketplaces"),
      activity_type: someOf(NFT_ACTIVITIES, "Only these kinds of activities"),
      ...timeWindow(),
      token: commaAddresses("Only these NFTs, by mint", { note: ONE_ADDRESS }),
      collection: text("Only this collection", { note: COLLECTION_NOTE }),
      currency_token: address("Only prices in this currency, by mint"),
      price: range("decimal", "Least and greatest price, in whole units of the currency", { needs: "currency_token" }),
      ...pages(STANDARD_SIZES),
      ...deprecatedBlockTime(),
    },
    returns: rows("NftActivity"),
    columns: ["block_time", "activity_type", "price", "token_address", "from_address", "to_address", "trans_id"],
    newestFirst: true,
    identity: ["trans_id", "activity_type", "token_address", "from_address", "to_address", "price"],
    notes: [
      "The price filter is in whole units of the currency; prices in answers are base units, to be divided by 10^currency_decimals.",
      "from_address and to_address are empty when there is none; only sales are sure to have both.",
      "collection_address is the identifier of the collection, despite its name.",
    ],
    aliases: ["activity"],
    examples: [
      { about: "The latest sales", params: { activity_type: ["ACTIVITY_NFT_SOLD"] } },
      {
        about: "Sales of a collection between 1 and 10 SOL",
        params: {
          collection: NFT_COLLECTION,
          activity_type: ["ACTIVITY_NFT_SOLD"],
          currency_token: WRAPPED_SOL,
          price: ["1", "10"],
        },
      },
    ],
  }),
  endpoint({
    family: "v2",
    path: "/nft/collection/lists",
    summary: "Collections, by volume, size or floor price",
    query: {
      range: oneOf([1, 7, 30], "Days that the volume covers", { default: 1 }),
      ...order(["items", "floor_price", "volumes"], "volumes"),
      ...pages(COLLECTION_SIZES),
      collection: text("Only this collection", { note: COLLECTION_NOTE }),
    },
    returns: rows("NftCollection"),
    cachePolicy: "metadata",
    columns: [
      "name",
      { path: "floor_price", head: "floor" },
      { path: "volumes", head: "volume" },
      { path: "volumes_change_24h", head: "change 24h" },
      "items",
      "symbol",
      "collection_id",
    ],
    identity: ["collection_id"],
    notes: [
      "floor_price and volumes are whole SOL; the change covers 24 hours whatever the range.",
      "Names and symbols are not unique: collection_id is.",
      "A page size of 18 is allowed by the specification; newer servers may refuse it.",
    ],
    aliases: ["collections", "collection-list"],
    examples: [
      { about: "The collections with the greatest volume of the day", params: {} },
      { about: "Of the last 30 days, by floor price", params: { range: 30, sort_by: "floor_price" } },
    ],
  }),
  endpoint({
    family: "v2",
    path: "/nft/collection/items",
    summary: "NFTs of a collection with their last trade or listing",
    query: {
      collection: text("Collection", { ...IDENTIFIER, note: COLLECTION_NOTE }),
      sort_by: oneOf(["last_trade", "listing_price"], "Sort key", { default: "last_trade" }),
      ...pages(NFT_SIZES),
    },
    returns: rows("NftCollectionItem"),
    cachePolicy: "metadata",
    columns: [
      { path: "info.token_name", head: "name" },
      { path: "stats.type|tradeInfo.type", head: "type" },
      { path: "stats.price|tradeInfo.price", head: "price" },
      { path: "stats.trade_time|tradeInfo.trade_time", head: "traded" },
      { path: "info.address", head: "mint" },
      { path: "stats.seller|tradeInfo.seller", head: "seller" },
      { path: "stats.buyer|tradeInfo.buyer", head: "buyer" },
    ],
    echo: "info.collection_id",
    identity: ["info.address"],
    notes: [
      "The trade is tradeInfo in the specification and stats on newer servers.",
      "Prices are base units as text, to be divided by 10^currency_decimals.",
      "Listings have neither trade_time nor buyer.",
      "info.meta is what the minter publishes: untrusted, and any part may be missing.",
    ],
    aliases: ["items", "collection-item"],
    examples: [
      { about: "Those traded last", params: { collection: NFT_COLLECTION } },
      { about: "Those for sale", params: { collection: NFT_COLLECTION, sort_by: "listing_price" } },
    ],
  }),
] as const;
