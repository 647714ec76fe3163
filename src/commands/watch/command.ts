/** `solx watch`. */
import { UsageError } from "../../base/index.ts";
import type { CommandDefinition } from "../run/command-definition.ts";

const FILE = { name: "<file>", description: "file of rules, in YAML" } as const;

/** The command. */
export const WATCH: CommandDefinition = {
  name: "watch",
  summary: "Watch accounts and tokens by rules, and deliver every event",
  audience: "session",
  arguments: [FILE],
  options: [
    {
      flags: "--health <port>",
      description: "serve /metrics (Prometheus) and /health on this port; 0 selects a free one",
    },
    { flags: "--ui", description: "show the rules and their events in the explorer, and watch while it is open" },
  ],
  examples: [
    ["Watch by the rules of a file until Ctrl-C; run it again to continue", "solx watch rules.yaml"],
    ["The same on the screen", "solx watch rules.yaml --ui"],
    ["Check the rules, and what they cost", "solx watch check rules.yaml"],
    ["What a rule would have found since yesterday", "solx watch test rules.yaml whales --since 1d"],
    ["Undelivered events", "solx watch status rules.yaml"],
  ],
  details: "The form of the file, and what is promised: solx help rules",
  commands: [
    {
      name: "check",
      summary: "Check rules, and print what they cost",
      audience: "request",
      arguments: [FILE],
      run: async (context, { args: [file = ""] }) => (await import("./run-watch.ts")).checkRules(context, file),
    },
    {
      name: "test",
      summary: "Print the events that a rule would have found",
      audience: "request",
      arguments: [FILE, { name: "<rule>", description: "name of the rule" }],
      options: [{ flags: "--since <duration>", description: "how far back, such as 1d (default: 1d)" }],
      run: async (context, { args: [file = "", rule = ""], options }) => {
        const { since = "1d" } = options as { readonly since?: string };
        await (await import("./run-watch.ts")).testRule(context, file, rule, since);
      },
    },
    {
      name: "status",
      summary: "Print how many events were delivered, and which could not be",
      audience: "print",
      arguments: [FILE],
      options: [{ flags: "--retry", description: "deliver events again that could not be" }],
      run: async (context, { args: [file = ""], options }) => {
        const { retry = false } = options as { readonly retry?: boolean };
        await (await import("./run-watch.ts")).printStatus(context, file, retry);
      },
    },
    {
      name: "schema",
      summary: "Print the JSON schema of files of rules, for editors",
      audience: "message",
      run: async (context) => {
        const { rulesSchema } = await import("./rules-file.ts");
        await context.printer.printText(`${JSON.stringify(rulesSchema(), null, 2)}\n`);
      },
    },
  ],
  run: async (context, { args: [file = ""], options }) => {
    const { health, ui = false } = options as { readonly health?: string; readonly ui?: boolean };
    if (ui && health !== undefined) throw new UsageError("--ui and --health cannot be used together");
    if (ui) return (await import("../explore/explore.ts")).exploreRules(context, file);
    await (await import("./run-watch.ts")).watch(context, file, health);
  },
};
