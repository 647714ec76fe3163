/** How this run writes: from what was typed, the settings, and what reads it. */
import { UsageError } from "../../base/errors.ts";
import {
  checkOptions,
  checkProgram,
  type Format,
  formatOfFile,
  isTerminal,
  listFormats,
  type OutputOptions,
  parseColumns,
  parseFields,
  shouldUseColor,
  supportsUnicode,
  type TimeStyle,
  terminalWidth,
} from "../../output/index.ts";
import type { RunContext } from "./context.ts";
import type { Io } from "./io.ts";

/** The file of `--out`, where rows go there. */
function outputFile({ globals: { out, dryRun, curl } }: RunContext): string | undefined {
  return dryRun || curl ? undefined : out;
}

/** What reads the rows; a file is no terminal, whatever the environment says. */
function outputTarget(context: RunContext): {
  readonly env: Io["env"];
  readonly isTTY: boolean;
  readonly columns?: number;
} {
  const { env, stdout } = context.io;
  if (outputFile(context) !== undefined) return { env: {}, isTTY: false };
  return { env, isTTY: stdout.isTTY === true, columns: stdout.columns };
}

/** An ending that names some format. */
const ENDING = /\w\.[A-Za-z]\w{0,7}$/;

/** The output format: what was asked for, else as the file's name says, else a table on a terminal and JSON elsewhere. */
export async function resolveFormat(context: RunContext): Promise<Format> {
  const { json, output, jq } = context.globals;
  if (json && output !== undefined && output !== "json") {
    throw new UsageError(`--json and --output ${output} contradict each other.`, { hint: "Give one of them." });
  }
  if (json) return "json";
  const chosen = (await context.settings()).get("output");
  const file = output === undefined ? (outputFile(context) ?? "") : "";
  const named = formatOfFile(file);
  if (named !== undefined) return named;
  if (ENDING.test(file)) {
    throw new UsageError(`--out ${file}: the name does not tell a format that is known.`, {
      hint: `Choose a format with -o: ${listFormats()}.`,
    });
  }
  // What is followed has no end, and a JSON document needs one.
  const document = context.globals.follow === undefined || jq !== undefined ? "json" : "ndjson";
  if (chosen === "json" && output === undefined) return document;
  if (chosen !== undefined && (output !== undefined || jq === undefined)) return chosen;
  return (context.forHumans || isTerminal(outputTarget(context))) && jq === undefined ? "table" : document;
}

/** How times are shown: in the table of a run that goes on for long, never relative to its beginning. */
function resolveTimeStyle(
  { globals: { follow } }: RunContext,
  requested: TimeStyle | undefined,
  format: Format,
): TimeStyle | undefined {
  return follow !== undefined && format === "table" && (requested ?? "relative") === "relative" ? "iso" : requested;
}

/** Everything that output needs to know beside the content. */
export async function resolveOutputOptions(context: RunContext): Promise<OutputOptions> {
  const settings = await context.settings();
  const target = outputTarget(context);
  const { fields, columns, jq, all, follow } = context.globals;
  const { signal } = context.io;
  const format = await resolveFormat(context);
  const time = resolveTimeStyle(context, settings.get("time"), format);
  const tty = isTerminal(target);
  const options: OutputOptions = {
    format,
    width: terminalWidth({ columns: undefined, ...target }),
    color: shouldUseColor({ flag: settings.get("color"), ...target }),
    tty,
    unicode: !tty || supportsUnicode(target.env),
    // Long lists stay plain: they are drawn fastest, and their end is far from their first line.
    tableStyle: settings.get("table-style") ?? (tty && !all && follow === undefined ? "auto" : "plain"),
    now: (await context.clock())(),
    signal,
    ...(fields === undefined ? {} : { fields: parseFields(fields) }),
    ...(columns === undefined ? {} : { columns: parseColumns(columns) }),
    ...(jq === undefined ? {} : { jq }),
    ...(time === undefined ? {} : { time }),
  };
  checkOptions(options);
  if (jq !== undefined) await checkProgram(jq, signal);
  return options;
}
