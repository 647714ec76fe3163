/** The legacy public family (specification §7). */
import { endpoint, object } from "../endpoint.ts";

/** The legacy public family. */
export const publicFamily = [
  endpoint({
    family: "public",
    path: "/chaininfo",
    summary: "Block height, epoch, slot and transaction count of the chain",
    query: {},
    returns: object("ChainInfo"),
    columns: ["blockHeight", "absoluteSlot", "currentEpoch", "transactionCount"],
    notes: [
      "Lives on the public host and costs no compute units; the key is sent all the same.",
      "Too many requests are answered with status 403 here, with 429 everywhere else.",
      "absoluteSlot counts skipped slots, blockHeight does not.",
    ],
    statuses: { 403: "rateLimited" },
    aliases: ["chain-info"],
    examples: [{ about: "How far the chain has come", params: {} }],
  }),
] as const;
