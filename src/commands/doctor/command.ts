/** `solx doctor`. */
import type { Command } from "commander";
import type { RunContext } from "../run/context.ts";
import { withExamples } from "../run/help.ts";

/** Adds the command to the program. */
export function addDoctor(program: Command, context: RunContext): void {
  const command = program
    .command("doctor")
    .description("What is well and what is not: versions, settings, key, network, terminal")
    .option("--offline", "look at this machine alone; nothing is sent")
    .option("--drift", "compare a handful of live answers with what is documented; says first what it costs")
    .option("--report", "as Markdown for a bug report, without the key and without names of yours")
    .action(async (options) => (await import("./doctor.ts")).doctor(context, options));
  command.addHelpText(
    "after",
    `
Without --drift it costs what asking for the usage of the key costs:
one call. Exit code 0 when nothing is a problem, 11 when something is;
warnings and notes change nothing.`,
  );
  withExamples(command, [
    ["Everything, with what to do", "solx doctor"],
    ["What is wrong, for a script", "solx doctor --jq '.[] | select(.level == \"problem\") | .message'"],
    ["Without the network", "solx doctor --offline"],
    ["For an issue", "solx doctor --report"],
  ]);
}
