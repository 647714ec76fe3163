/** `solx usage`: what the key has used, what is left, and whether that is within limits. */
import { CheckError, SolxError, UsageError, withMessage } from "../../base/errors.ts";
import { durationText } from "../../client/index.ts";
import { FORMAT_NAMES, formatInfo } from "../../output/index.ts";
import { supportsUnicode } from "../../output/stream/terminal.ts";
import type { RunContext } from "../run/context.ts";
import { beyond, sentenceOf } from "./limit-check.ts";
import { isLimited, type Thresholds, thresholdsOf, type UsageOptions } from "./options.ts";
import type { Look, Looker } from "./snapshot.ts";
import type { Looks } from "./text.ts";

/** Endpoints that are shown to people; programs get all. */
const BUSIEST = 5;

type MonitorFormat = "prometheus" | "nagios";

/**
 * Looks once and prints; with `--watch`, goes on.
 * @throws CheckError (exit 11) when a limit is exceeded, and the API's failure or refusal after printing what is known
 */
export async function usage(context: RunContext, options: UsageOptions): Promise<void> {
  const format = takeFormat(context);
  const thresholds = thresholdsOf(options);
  if (options.watch !== undefined) {
    if (format !== undefined) throw new UsageError(`--watch and -o ${format} contradict each other.`);
    return (await import("./watch.ts")).watch(context, options);
  }
  const { createLooker } = await import("./snapshot.ts");
  const looker = await createLooker(context);
  try {
    const look = await looker.look().catch((error) => withoutNumbers(context, format, looker, error));
    if (format === "nagios") return await printNagios(context, look, options);
    if (!isCheckAlone(context, format, thresholds)) await print(context, look, format);
    if (look.error) throw failureOf(look.error, look);
    const failed = beyond(look, thresholds.fail);
    const warned = failed.length > 0 ? [] : beyond(look, thresholds.warn);
    if (warned.length > 0) await context.reporter.report(`Warning: ${sentenceOf(warned)}`);
    if (failed.length > 0) throw new CheckError(sentenceOf(failed), { code: "CHECK" });
    if (look.refusal) throw look.refusal;
  } finally {
    looker.close();
  }
}

/** The format that only this command has, which no other part of a run has to know of; undefined for all others. */
function takeFormat(context: RunContext): MonitorFormat | undefined {
  const { output, ...globals } = context.globals;
  if (output === "prometheus" || output === "nagios") {
    const shaping = {
      "--json": globals.json,
      "--fields": globals.fields,
      "--columns": globals.columns,
      "--jq": globals.jq,
    };
    const [other] = Object.entries(shaping).find(([, value]) => value !== undefined) ?? [];
    if (other) throw new UsageError(`${other} and -o ${output} contradict each other.`, { hint: "Give one of them." });
    context.globals = globals;
    return output;
  }
  const known: readonly string[] = FORMAT_NAMES;
  if (output === undefined || known.includes(output)) return undefined;
  throw new UsageError(
    `--output must be one of ${[...FORMAT_NAMES, "prometheus", "nagios"].join(", ")}, not "${output}".`,
  );
}

/** Whether nothing but the verdict is wanted: a check, and no output. */
function isCheckAlone(context: RunContext, format: MonitorFormat | undefined, { fail, warn }: Thresholds): boolean {
  return context.globals.quiet === true && format === undefined && (isLimited(fail) || isLimited(warn));
}

/**
 * Prometheus is told that nothing could be had, and when it could last; people read what this machine knows where the
 * limit of a day kept it from asking. Everybody else reads the failure alone.
 */
async function withoutNumbers(
  context: RunContext,
  format: MonitorFormat | undefined,
  looker: Looker,
  error: unknown,
): Promise<never> {
  if (context.io.signal.aborted) throw error;
  if (format === "prometheus") {
    const { prometheusText } = await import("./prometheus.ts");
    const profile = (await context.settings()).get("profile");
    await context.printText(prometheusText(profile, undefined, looker.samples.latest()?.at));
  } else if (format === undefined && error instanceof SolxError && error.code === "UNITS_PER_DAY") {
    if (await isForPeople(context)) await printHere(context, looker);
  }
  throw error;
}

async function isForPeople(context: RunContext): Promise<boolean> {
  const { fields, columns } = context.globals;
  return (await context.format()) === "table" && fields === undefined && columns === undefined;
}

async function printHere(context: RunContext, looker: Looker): Promise<void> {
  const known = await looker.here();
  const { limitLines } = await import("./text.ts");
  await context.printText(
    limitLines(known, await looksOf(context))
      .map((line) => `${line}\n`)
      .join(""),
  );
  await printBusiest(context, known);
}

async function looksOf(context: RunContext): Promise<Looks> {
  const { width, color, time } = await context.outputOptions();
  return { width, color, time, unicode: supportsUnicode(context.io.env) };
}

async function printNagios(context: RunContext, look: Look, options: UsageOptions): Promise<void> {
  const { nagiosResult, knownText } = await import("./nagios.ts");
  if (look.error) throw failureOf(look.error, look, knownText(look));
  const { line, exitCode } = nagiosResult(look, thresholdsOf(options));
  await context.printText(line);
  context.exitCode = exitCode;
}

/** The API's failure, and how old is what is known. */
function failureOf(error: SolxError, { now, at }: Look, known = ""): SolxError {
  const age = durationText(Math.max(0, (now - at) / 1000));
  const rest = known === "" ? `What is shown is ${age} old.` : `Last known, ${age} ago: ${known}.`;
  return withMessage(error, `${error.message.replace(/\.$/, "")}. ${rest}`);
}

async function print(context: RunContext, look: Look, format: MonitorFormat | undefined): Promise<void> {
  if (format === "prometheus") {
    const { prometheusText } = await import("./prometheus.ts");
    return context.printText(prometheusText(look.profile, look));
  }
  const { fields, columns } = context.globals;
  const { Usage } = await import("../../catalogue/entities/chain.ts");
  const { UsageView, derivedView, flatView } = await import("./derived.ts");
  if (!(await isForPeople(context))) {
    const { family } = formatInfo(await context.format());
    const isSheet = family === "delimited" && fields === undefined && columns === undefined;
    const view = derivedView(look);
    return isSheet
      ? context.printObject(flatView(view), { entity: async () => Usage })
      : context.printObject(view, { entity: async () => UsageView });
  }
  const { usageText } = await import("./text.ts");
  await context.printText(usageText(look, await looksOf(context)));
  await printBusiest(context, look);
}

async function printBusiest(context: RunContext, { busiest }: Pick<Look, "busiest">): Promise<void> {
  if (busiest.length === 0) return;
  const { BusyEntity } = await import("./derived.ts");
  await context.printText("\n");
  await context.printRows(
    busiest.slice(0, BUSIEST).map((one) => ({ ...one })),
    {
      entity: async () => BusyEntity,
      columns: [{ path: "endpoint", head: "busiest here, 24 h" }, "requests", "failed", "units"],
    },
  );
}
