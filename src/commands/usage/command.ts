/** `solx usage`. */
import { SETTINGS } from "../../config/index.ts";
import { outputOption } from "../options/option.ts";
import { MONITOR_FORMATS } from "../options/own-format.ts";
import type { CommandDefinition } from "../run/command-definition.ts";

const FORMATS = [...SETTINGS.output.values, ...MONITOR_FORMATS] as const;

const CHECKS = "Checks:";

/** The command. */
export const USAGE: CommandDefinition = {
  name: "usage",
  summary: "Show compute units used and left, and check them against limits",
  audience: "account",
  options: [
    { ...outputOption("output format", FORMATS), isClosed: true },
    {
      flags: "--watch [interval]",
      description: "poll until stopped, at this interval (default: 1m); a poll costs as a request does",
    },
    { flags: "--fail-over <percent>", description: "exit 11 if more of the units is used, e.g. 80%", group: CHECKS },
    { flags: "--fail-under-units <units>", description: "exit 11 if fewer units are left, e.g. 10M", group: CHECKS },
    {
      flags: "--fail-before-renewal",
      description: "exit 11 if the units run out before they are renewed, at this pace",
      group: CHECKS,
    },
    {
      flags: "--warn-over <percent>",
      description: "like --fail-over, as a warning: a note, or WARNING with -o nagios",
      group: CHECKS,
    },
    { flags: "--warn-under-units <units>", description: "like --fail-under-units, as a warning", group: CHECKS },
    { flags: "--warn-before-renewal", description: "like --fail-before-renewal, as a warning", group: CHECKS },
  ],
  examples: [
    ["What is left, and for how long", "solx usage"],
    ["Without a key, on simulated data", "SOLX_PLAN=lite solx usage --sandbox"],
    ["In cron: a sentence and exit code 11", "solx usage -q -o table --fail-over 80% --fail-before-renewal"],
    ["For Prometheus", "solx usage -o prometheus"],
    ["For Nagios and Icinga", "solx usage -o nagios --warn-over 70% --fail-over 90%"],
    ["Units left, for a script", "solx usage --jq .remaining_cus"],
  ],
  details: [
    `JSON has the fields of the API unchanged, and under "derived" what follows from them: state, used_percent, per_day, runs_out_at, runs_out_before_renewal, renews_at, and the busiest endpoints of this machine. If the API does not answer, the last known numbers are printed, marked stale, and the exit code is that of the error. One poll costs a request.`,
    "With a check, -q prints only the line that names the exceeded limit: a JSON object in a pipe, a sentence with -o table.",
    "On the screen of --watch, q and Ctrl-C exit with code 0; as lines, Ctrl-C exits with 130.",
  ].join("\n"),
  run: async (context, { options }) => (await import("./usage.ts")).usage(context, options),
  // Nagios reads errors from stdout, and defines its own exit codes.
  async reportError(error, context, { output }) {
    if (output !== "nagios" || context.io.signal.aborted) return undefined;
    return (await import("./monitoring.ts")).printUnknown(context, error);
  },
};
