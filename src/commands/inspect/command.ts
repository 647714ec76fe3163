/** `solx inspect`. */
import type { CommandDefinition } from "../run/command-definition.ts";

/** The command. */
export const INSPECT: CommandDefinition = {
  name: "inspect",
  summary: "Decode and simulate a transaction before it is sent",
  audience: "request",
  flags: ["--interactive"],
  excludedFlags: ["--sandbox"],
  arguments: [
    {
      name: "<transaction>",
      description: "transaction or message in base64 or base58, a signature, or @file or - to read it",
    },
  ],
  options: [
    { flags: "--no-simulate", description: "decode only" },
    { flags: "--idl <file>", description: "decode a program's instructions by this IDL: of Anchor, Shank or Codama" },
    { flags: "--sig-verify", description: "simulate with its signatures and blockhash, which have to be valid" },
  ],
  examples: [
    ["Simulate a transaction that a program has built", 'solx inspect "$TX" --rpc devnet'],
    ["From a file, decoded without a node", "solx inspect @tx.base64"],
    ["Where the compute units go", 'solx inspect "$TX" --rpc mainnet --jq ".instructions[] | {type, compute_units}"'],
    ["By the IDL of a program that publishes none", 'solx inspect "$TX" --idl idl.json'],
    ["Run a sent transaction again, on the state of now", "solx inspect <signature> --rpc mainnet"],
  ],
  details: [
    "Prints the fee, signatures, accounts (those of lookup tables too), decoded instructions with their",
    "compute units, and what the simulation changes: SOL, tokens, logs. Exits with 11 when it fails.",
    "Without a node the transaction is only decoded.",
  ].join(" "),
  async run(context, call) {
    const [transaction = ""] = call.args;
    if (context.globals.interactive) {
      return (await import("../explore/explore.ts")).explore(context, ["inspect", transaction]);
    }
    return (await import("./inspect.ts")).inspect(context, call);
  },
};
