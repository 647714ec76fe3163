/** DeFi activities, of accounts and of tokens (specification §3). */
import * as z from "zod";
import type { Numeric } from "../../base/index.ts";
import { DEFI_ACTIVITIES, NEWER_DEFI_ACTIVITIES } from "../constants.ts";
import { cell, f } from "../fields.ts";
import type { FieldMeta } from "../kinds.ts";

/** A row of the entity {@link Router}. */
export interface RouterRow {
  readonly token1?: string | undefined;
  readonly token1_decimals?: number | undefined;
  readonly amount1?: Numeric | string | undefined;
  readonly token2?: string | undefined;
  readonly token2_decimals?: number | undefined;
  readonly amount2?: Numeric | string | undefined;
  readonly program_address?: string | undefined;
  readonly pool_address?: string | undefined;
  readonly routers?: readonly RouterRow[] | undefined;
  readonly child_routers?: readonly RouterRow[] | undefined;
  readonly [name: string]: unknown;
}

/** The hops of a route, each a {@link Router} again. */
const hops = (description: string): z.ZodType<readonly RouterRow[] | undefined> =>
  f.objects<RouterRow>(description, Router).optional();

/**
 * The input and output of an activity. One-sided activities (a deposit, a new mint) lack a second token. Hops are
 * nested in `routers` or, on newer servers, `child_routers`, to any depth; their amounts are text, the outer ones numbers.
 */
export const Router = z.looseObject({
  token1: f.address("Mint of the input token").optional(),
  token1_decimals: f.count("Decimals of the input token").optional(),
  amount1: f.tokenAmountMixed("Input amount in base units", "token1_decimals").optional(),
  token2: f.address("Mint of the output token").optional(),
  token2_decimals: f.count("Decimals of the output token").optional(),
  amount2: f.tokenAmountMixed("Output amount in base units", "token2_decimals").optional(),
  program_address: f.program("Program of the hop").optional(),
  pool_address: f.address("Pool of the hop").optional(),
  get routers() {
    return hops("Hops of the route");
  },
  get child_routers() {
    return hops("Same value on newer servers");
  },
});

const platform = z.union([z.string(), z.array(z.string())]).meta({
  kind: "program",
  description: "Programs of the activity: one or a list",
} satisfies FieldMeta);

/** A swap, liquidity change, stake or loan in the list of an account or a token. */
export const DefiActivity = z.looseObject({
  block_id: f.slot("Slot of the block"),
  trans_id: f.signature("Signature of the transaction"),
  block_time: f.unixTime("Time of the block"),
  time: f.isoTime("Time of the block as text").optional(),
  activity_type: f.enum("Type of the activity", [...DEFI_ACTIVITIES, ...NEWER_DEFI_ACTIVITIES]),
  from_address: f.address("Initiator"),
  to_address: f.address("Counterparty, often a program; missing in newer token lists").optional(),
  sources: f.list("Pools or venues involved", f.address("Pool or venue")),
  platform,
  value: f.usd("Value of the activity").optional(),
  amount_info: f.object("Input and output of the activity", Router).optional(),
  routers: f.object("Same value on newer servers", Router).optional(),
});

/** A row of a DeFi export. On newer servers it can end after `Value`. */
export const DefiExportRow = z.looseObject({
  Signature: cell("signature", "Signature of the transaction"),
  "Block Time": cell("unixTime", "Time of the block"),
  "Human Time": cell("isoTime", "Time of the block as text"),
  Action: cell("enum", "Type of the activity without ACTIVITY_ and with spaces, such as TOKEN SWAP"),
  From: cell("address", "Initiator"),
  Token1: cell("address", "Mint of the input token"),
  Amount1: cell("tokenAmount", "Input amount in base units", { decimals: "TokenDecimals1" }),
  TokenDecimals1: cell("count", "Decimals of the input token"),
  Token2: cell("address", "Mint of the output token"),
  Amount2: cell("tokenAmount", "Output amount in base units", { decimals: "TokenDecimals2" }),
  TokenDecimals2: cell("count", "Decimals of the output token"),
  Value: cell("usd", "Value at the time of the activity"),
  Platforms: cell("text", "Programs of the activity, separated by |").optional(),
  Sources: cell("text", "Pools or venues involved, separated by |; parts can be empty").optional(),
});
