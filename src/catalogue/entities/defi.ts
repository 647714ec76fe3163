/** DeFi activities, of accounts and of tokens (specification §3). */
import * as z from "zod";
import type { Numeric } from "../../base/json.ts";
import { DEFI_ACTIVITIES, NEWER_DEFI_ACTIVITIES } from "../constants.ts";
import { cell, f } from "../fields.ts";
import type { FieldMeta } from "../kinds.ts";

/** What went in and what came out, as the entity {@link Router} gives it. */
export interface RouterRow {
  readonly token1?: string | undefined;
  readonly token1_decimals?: Numeric | undefined;
  readonly amount1?: Numeric | string | undefined;
  readonly token2?: string | undefined;
  readonly token2_decimals?: Numeric | undefined;
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
 * What went in and what came out. One-sided actions (a deposit, a new mint) have no second token.
 * Hops hang below it in `routers` or, on newer servers, `child_routers`, to any depth; amounts are numbers outside and
 * text in the hops.
 */
export const Router = z.looseObject({
  token1: f.address("Mint of the token that goes in").optional(),
  token1_decimals: f.count("Decimals of the token that goes in").optional(),
  amount1: f.tokenAmountMixed("Amount that goes in, in base units", "token1_decimals").optional(),
  token2: f.address("Mint of the token that comes out").optional(),
  token2_decimals: f.count("Decimals of the token that comes out").optional(),
  amount2: f.tokenAmountMixed("Amount that comes out, in base units", "token2_decimals").optional(),
  program_address: f.program("Program of the hop").optional(),
  pool_address: f.address("Pool of the hop").optional(),
  get routers() {
    return hops("Hops of the route");
  },
  get child_routers() {
    return hops("The same, under their name on newer servers");
  },
});

const platform = z.union([z.string(), z.array(z.string())]).meta({
  kind: "program",
  description: "Programs that the activity is attributed to, one or a list",
} satisfies FieldMeta);

/** A swap, a change of liquidity, a stake, a loan…, seen from an account or a token. */
export const DefiActivity = z.looseObject({
  block_id: f.slot("Slot of the block"),
  trans_id: f.signature("Signature of the transaction"),
  block_time: f.unixTime("Time of the block"),
  time: f.isoTime("The same time as text"),
  activity_type: f.enum("What kind of activity", [...DEFI_ACTIVITIES, ...NEWER_DEFI_ACTIVITIES]),
  from_address: f.address("Account that starts it"),
  to_address: f.address("Counterparty, often a program; newer token lists leave it out").optional(),
  sources: f.list("Pools or venues that take part", f.address("Pool or venue")),
  platform,
  value: f.usd("Value of the activity").optional(),
  amount_info: f.object("What went in and what came out", Router).optional(),
  routers: f.object("The same, under its name on newer servers", Router).optional(),
});

/** A row of a DeFi export. Newer servers have been seen to stop after `Value`. */
export const DefiExportRow = z.looseObject({
  Signature: cell("signature", "Signature of the transaction"),
  "Block Time": cell("unixTime", "Time of the block"),
  "Human Time": cell("isoTime", "The same time as text"),
  Action: cell("enum", "What kind of activity, without ACTIVITY_ and with spaces: TOKEN SWAP"),
  From: cell("address", "Account that starts it"),
  Token1: cell("address", "Mint of the token that goes in"),
  Amount1: cell("tokenAmount", "Amount that goes in, in base units", { decimals: "TokenDecimals1" }),
  TokenDecimals1: cell("count", "Decimals of the token that goes in"),
  Token2: cell("address", "Mint of the token that comes out"),
  Amount2: cell("tokenAmount", "Amount that comes out, in base units", { decimals: "TokenDecimals2" }),
  TokenDecimals2: cell("count", "Decimals of the token that comes out"),
  Value: cell("usd", "Value at the time of the activity"),
  Platforms: cell("text", "Programs that the activity is attributed to, joined by |").optional(),
  Sources: cell("text", "Pools or venues that take part, joined by |, empty parts possible").optional(),
});
