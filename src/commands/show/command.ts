/** `solx show`. */
import { readInputFile } from "../../base/index.ts";
import type { CommandDefinition } from "../run/command-definition.ts";

const USDC = "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v";

/** The command. */
export const SHOW: CommandDefinition = {
  name: "show",
  summary: "Show an address, signature, slot, token or explorer link",
  audience: "request",
  flags: ["--web", "--interactive", "--envelope", "--dry-run", "--curl"],
  arguments: [{ name: "<anything>", description: "address, name, signature, slot, symbol or link; - for stdin" }],
  examples: [
    ["A token, by its mint", `solx show ${USDC}`],
    ["A token, by its symbol", "solx show jup"],
    ["A block, by its slot", "solx show 385804412"],
    ["The subject of an explorer link", `solx show https://solscan.io/token/${USDC}`],
  ],
  details: [
    "The output is an object with kind (account, token, transaction or block) and id, followed by the fields of that",
    "kind: of an account with its metadata, of a transaction, or of a block; token and account of a token.",
  ].join(" "),
  async run(context, { args: [typed = ""] }) {
    const { stdin, signal } = context.io;
    const anything = typed === "-" ? (await readInputFile(stdin, { signal })).trim() : typed;
    if (context.globals.web) return (await import("../explore/web-page.ts")).openShownPage(context, anything);
    if (context.globals.interactive) return (await import("../explore/explore.ts")).explore(context, [anything]);
    return (await import("./show.ts")).show(context, anything);
  },
};
