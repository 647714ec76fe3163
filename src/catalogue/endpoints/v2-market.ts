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
      "token1 and token2 are in the order of the pool, not of the request.",
      "The number of trades is total_trades_24h in the specification and total_trade_24h on newer servers.",
      "Volumes are in USD. For prices and reserves, see market info.",
    ],
    aliases: ["ls"],
    examples: [
      { about: "Pools with the highest volume", params: {} },
      {
        about: "Newest pools of SOL on Orca",
        params: { program: WHIRLPOOL, token_address: WRAPPED_SOL, sort_by: "created_time" },
      },
    ],
  }),
  endpoint({
    family: "v2",
    path: "/market/info",
    summary: "A pool: tokens, reserves and creation",
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
      "Reserves are in whole units, in no fixed order.",
      "The reserves are token_infos in the specification and tokens_info on newer servers.",
      "lp_token can be missing or meaningless for pools of concentrated liquidity.",
    ],
    aliases: ["get", "show", "detail"],
    examples: [{ about: "A pool of SOL and USDC", params: { address: POOL } }],
  }),
  endpoint({
    family: "v2",
    path: "/market/volume",
    summary: "Daily volume, trades and value locked of a pool",
    query: {
      address: address("Pool", { ...IDENTIFIER, note: "A pool, not the mint of a token." }),
      time: range("date", "First and last day", {
        note: "Not deprecated here: the endpoint has no from_time and to_time.",
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
      "Changes are percent; volumes and tvl are in USD.",
      "The daily volume is value in the specification and volume on newer servers.",
      "Without time, the server selects the days.",
    ],
    aliases: ["volumes"],
    examples: [
      { about: "Latest days of a pool", params: { address: POOL } },
      { about: "Two weeks of the last month", params: { address: POOL, time: ["30d", "16d"] } },
    ],
  }),
] as const;
