/** `solx usage`. */
import { type Command, Option } from "commander";
import { FORMATS } from "../../output/types.ts";
import { once } from "../options/global-options.ts";
import type { RunContext } from "../run/context.ts";
import { withChoices, withExamples } from "../run/help.ts";

/** Formats that only this command has. */
const FOR_MONITORS = ["prometheus", "nagios"];

/** Adds the command to the program. */
export function addUsage(program: Command, context: RunContext): void {
  const command = program
    .command("usage")
    .description("What the key has used, what is left, and how long it lasts; also as a check for monitoring")
    .addOption(format())
    .option("--watch [interval]", "look again every so often, e.g. 1m, until it is stopped (default: 1m)");
  const check = (flags: string, description: string) =>
    command.addOption(new Option(flags, description).helpGroup("Checks:"));
  check("--fail-over <percent>", "exit 11 when more than this much of the period's units is used, e.g. 80%");
  check("--fail-under-units <units>", "exit 11 when fewer units are left, e.g. 10M or 1_000_000");
  check("--fail-before-renewal", "exit 11 when the units end before the period does, at this pace");
  check("--warn-over <percent>", "the same, as a warning: WARNING with -o nagios, else a remark");
  check("--warn-under-units <units>", "the same, as a warning");
  check("--warn-before-renewal", "the same, as a warning");
  command.action(async (options) => (await import("./usage.ts")).usage(context, options));
  command.addHelpText("after", NOTES);
  withExamples(command, [
    ["What is left, and for how long", "solx usage"],
    ["Without a key, on made-up data", "solx usage --sandbox --plan lite"],
    [
      "In cron: a sentence and exit code 11 when it gets tight",
      "solx usage -q -o table --fail-over 80% --fail-before-renewal",
    ],
    ["For Prometheus", "solx usage -o prometheus"],
    ["For Nagios and Icinga", "solx usage -o nagios --warn-over 70% --fail-over 90%"],
    ["Units left, for a script", "solx usage --jq .remaining_cus"],
  ]);
}

function format(): Option {
  const words =
    "one of json, ndjson, csv, tsv, yaml, table, prometheus, nagios (default: table on a terminal, else json)";
  return once(
    withChoices(new Option("-o, --output <format>", words).helpGroup("Output:"), [...FORMATS, ...FOR_MONITORS]),
  );
}

const NOTES = `
JSON has the API's fields as they came, and under "derived" what
follows from them: state, used_percent, per_day, runs_out_at,
runs_out_before_renewal, renews_at, and the busiest endpoints of this
machine. When the API does not answer, the last known numbers are
shown, marked stale, and the exit code is the error's. One look costs
a request.
With a check, -q prints nothing but the line that says what is beyond
its limit: a JSON object where no terminal reads, with -o table a
sentence.
On the screen of --watch, q and Ctrl-C end it with exit code 0; as
lines, Ctrl-C ends it with 130.
`;
