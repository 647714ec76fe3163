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
      "Served by the public host and free of compute units; solx sends the API key anyway.",
      "Too many requests return status 403 here and 429 elsewhere.",
      "absoluteSlot counts skipped slots, blockHeight does not.",
    ],
    statuses: { 403: "rateLimited" },
    aliases: ["chain-info"],
    examples: [{ about: "Current state of the chain", params: {} }],
  }),
] as const;
