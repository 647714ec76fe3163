/** `solx explore`. */
import { type SolxError, UsageError } from "../../base/index.ts";
import { quoteForShell } from "../../catalogue/index.ts";
import { SETTINGS } from "../../config/index.ts";
import { outputOption } from "../options/option.ts";
import type { CommandDefinition } from "../run/command-definition.ts";
import type { RunContext } from "../run/context.ts";
import { maskArguments } from "../run/printed-command.ts";

/** The command. */
export const EXPLORE: CommandDefinition = {
  name: "explore",
  summary: "Browse the chain in a full-screen terminal UI",
  audience: "session",
  flags: ["--interactive", "--time", "--color", "--yes"],
  arguments: [
    { name: "[anything...]", description: "start page: an address, signature, slot, mint, explorer link or command" },
  ],
  options: [
    { flags: "--or-text", description: "without a terminal, print the overview instead of failing" },
    outputOption("with --or-text, the format of the overview", SETTINGS.output.values),
    { flags: "--plain", description: "print plain lines for screen readers and simple terminals" },
    { flags: "--no-plain", description: "draw the screen even if the environment requests plain lines", isRare: true },
  ],
  examples: [
    ["Start page", "solx explore"],
    ["A token, on simulated data", "solx explore token EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v --sandbox"],
    ["A local validator", "solx explore --rpc localnet"],
    ["Any list of the API", "solx explore account transfer <address>"],
  ],
  run: async (context, { args, options }) => (await import("./explore.ts")).explore(context, args, options),
  explainError,
};

/** An unknown option may be one of the API command that follows: it takes its options itself, and opens with `-i`. */
function explainError(error: SolxError, { io, command }: RunContext): SolxError {
  const isApiCommand = command !== undefined && command.args.filter((word) => /^[a-z][a-z-]*$/.test(word)).length >= 2;
  if (!isApiCommand || !error.message.startsWith("unknown flag")) return error;
  const line = ["solx", ...maskArguments(io.argv).filter((word) => word !== "explore"), "-i"]
    .map(quoteForShell)
    .join(" ");
  return new UsageError(error.message, { code: "USAGE", hint: `Filters belong to the API command: ${line}` });
}
