/** The v2 account endpoints (specification §7). */
import { NEWER_TRANSFER_ACTIVITIES, STANDARD_SIZES, TRANSFER_ACTIVITIES } from "../constants.ts";
import { endpoint, rows } from "../endpoint.ts";
import { address, commaAddresses, flag, IDENTIFIER, oneOf, order, pages, range, someOf, timeWindow } from "../param.ts";

const WALLET = "5Q544fKrFoe6tsEbD7S8EmxGTJYAKtTVhAW5Q5pge4j1";

/** The v2 account endpoints. */
export const v2Account = [
  endpoint({
    family: "v2",
    path: "/account/transfer",
    summary: "Transfers into and out of an account",
    query: {
      address: address("Account", IDENTIFIER),
      activity_type: someOf(TRANSFER_ACTIVITIES, "Only these kinds of transfers", {
        newer: NEWER_TRANSFER_ACTIVITIES,
        note: "Newer servers also know the kinds beyond the ten of the specification.",
      }),
      token_account: address("Only transfers of this token account"),
      from: commaAddresses("Only from these addresses"),
      exclude_from: commaAddresses("Not from these addresses"),
      to: commaAddresses("Only to these addresses"),
      exclude_to: commaAddresses("Not to these addresses"),
      token: commaAddresses("Only these tokens"),
      amount: range("decimal", "Least and greatest amount", { needs: "token" }),
      value: range("decimal", "Least and greatest value in USD"),
      ...timeWindow(),
      exclude_amount_zero: flag("Leave out transfers of nothing"),
      flow: oneOf(["in", "out"], "Only one direction"),
      ...pages(STANDARD_SIZES),
      ...order(["block_time"]),
    },
    returns: rows("Transfer"),
    columns: [
      "block_time",
      "flow",
      "activity_type",
      "amount",
      "token_address",
      "from_address",
      "to_address",
      "trans_id",
    ],
    identity: ["trans_id", "activity_type", "from_address", "to_address", "token_address", "amount", "flow"],
    aliases: ["transfers"],
    examples: [
      { about: "Incoming transfers of the last week", params: { address: WALLET, flow: "in", from_time: "7d" } },
      {
        about: "USDC only, 100 rows a page",
        params: { address: WALLET, token: "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v", page_size: 100 },
      },
    ],
  }),
] as const;
