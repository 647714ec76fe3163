/** `solx doctor`. */
import type { CommandDefinition } from "../run/command-definition.ts";

/** The command. */
export const DOCTOR: CommandDefinition = {
  name: "doctor",
  summary: "Check installation, configuration, API key, network and terminal",
  audience: "account",
  flags: ["--yes", "--rpc", "--index"],
  options: [
    { flags: "--offline", description: "check only this machine; send no request" },
    { flags: "--drift", description: "compare live answers with the documented fields; prints the cost first" },
    { flags: "--report", description: "print a Markdown report for a bug report, without the key and personal names" },
  ],
  examples: [
    ["Run all checks", "solx doctor"],
    ["Print the problems only, for a script", "solx doctor --jq '.[] | select(.level == \"problem\") | .message'"],
    ["Without network access", "solx doctor --offline"],
    ["Report for an issue", "solx doctor --report"],
  ],
  details:
    "Without --drift, the checks cost as much as one request for the usage of the key. Exit code 0 if there is no problem, 11 otherwise; warnings and notes do not affect it.",
  run: async (context, { options }) => (await import("./doctor.ts")).doctor(context, options),
};
