/** The v2 market endpoints (specification §7). */
import { STANDARD_SIZES } from "../constants.ts";
import { endpoint, object, rows } from "../endpoint.ts";
import { address, commaAddresses, IDENTIFIER, order, pages, range } from "../param.ts";
import { POOL, WHIRLPOOL, WRAPPED_SOL } from "../samples.ts";
import { ONE_ADDRESS } from "./common.ts";

/** The v2 market endpoints. */
export const v2Market = [
  endpoint({
    family: "v2",
    path: "/market/list",
    summary: "Pools, by volume, trades or age",
    query: {
      program: commaAddresses("Only pools of these programs", { note: ONE_ADDRESS }),
      token_address: address("Only pools that trade this token"),
      ...order(["created_time", "volumes_24h", "trades_24h"], "volumes_24h"),
      ...pages(STANDARD_SIZES),
    },
    returns: rows("MarketListItem"),
    cachePolicy: "prices",
    columns: [
      "pool_address",
      { path: "total_volume_24h", head: "volume 24h" },
      { path: "total_trades_24h|total_trade_24h", head: "trades 24h" },
      "token1",
      "token2",
      "program_id",
      "created_time",
    ],
    identity: ["pool_address"],
    notes: [
      "The token asked for may come back as token1 or token2: the order is the pool's own.",
      "The count of trades is total_trades_24h in the specification and total_trade_24h on newer servers.",
      "Volumes are US dollars. Prices and reserves are in market info.",
    ],
    aliases: ["ls"],
    examples: [
      { about: "The pools with the greatest volume", params: {} },
      {
        about: "The newest pools of SOL on Orca",
        params: { program: WHIRLPOOL, token_address: WRAPPED_SOL, sort_by: "created_time" },
      },
    ],
  }),
  endpoint({
    family: "v2",
    path: "/market/info",
    summary: "A pool, its reserves and where it comes from",
    query: {
      address: address("Pool", { ...IDENTIFIER, note: "A pool, not the mint of a token." }),
    },
    returns: object("MarketInfo"),
    cachePolicy: "metadata",
    columns: [
      "pool_address",
      "program_id",
      "token_infos|tokens_info",
      "lp_token",
      "creator",
      "create_tx_hash",
      "create_block_time",
    ],
    echo: "pool_address",
    notes: [
      "Reserves are whole units: decimals are already applied. Their order is not fixed.",
      "The reserves are token_infos in the specification and tokens_info on newer servers.",
      "lp_token can be missing or without meaning for pools of concentrated liquidity.",
    ],
    aliases: ["get", "show", "detail"],
    examples: [{ about: "A pool of SOL and USDC", params: { address: POOL } }],
  }),
  endpoint({
    family: "v2",
    path: "/market/volume",
    summary: "Volume, trades and value locked of a pool, day by day",
    query: {
      address: address("Pool", { ...IDENTIFIER, note: "A pool, not the mint of a token." }),
      time: range("date", "First and last day", {
        note: "Elsewhere such lists are deprecated in favour of from_time and to_time; this endpoint has no others.",
      }),
    },
    returns: object("MarketVolume"),
    cachePolicy: "prices",
    columns: [
      "pool_address",
      "program_id",
      "tvl",
      "total_volume_24h",
      "total_volume_change_24h",
      "total_trades_24h",
      "total_trades_change_24h",
      "days",
    ],
    echo: "pool_address",
    notes: [
      "Changes are percent already; volumes and tvl are US dollars.",
      "The volume of a day is value in the specification and volume on newer servers.",
      "Without time the server chooses the days.",
    ],
    aliases: ["volumes"],
    examples: [
      { about: "The pool now, and its last days", params: { address: POOL } },
      { about: "Two weeks of the last month", params: { address: POOL, time: ["30d", "16d"] } },
    ],
  }),
] as const;
