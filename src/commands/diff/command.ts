/** `solx diff`. */
import type { CommandDefinition } from "../run/command-definition.ts";

/** The command. */
export const DIFF: CommandDefinition = {
  name: "diff",
  aliases: ["compare"],
  summary: "Compare two tokens, accounts, transactions or blocks",
  audience: "request",
  flags: ["--fields", "--sort-by", "--interactive"],
  arguments: [
    { name: "<a>", description: "address, name, signature, slot, symbol or explorer link" },
    { name: "<b>", description: "the same of the other one" },
    { name: "[more...]", description: "further ones, with --interactive" },
  ],
  options: [{ flags: "--equal", description: "print the fields that are equal, too" }],
  examples: [
    ["Two tokens", "solx diff jup bonk"],
    ["Side by side in the explorer, with a chart; up to six", "solx diff jup bonk -i"],
    ["How much larger a block was than the one before, as JSON", "solx diff 385804411 385804412 -o json"],
  ],
  details: [
    "A row is a field that differs: its values, and for numbers the difference b − a and the change in per cent. Tables",
    "show values in their units; the other formats have them as solx show prints them, with null where there is none.",
    "Exit code 11 when fields differ, 0 when none does.",
  ].join("\n"),
  run: async (context, call) => (await import("./diff.ts")).printDiff(context, call),
};
