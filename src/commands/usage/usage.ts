/** `solx usage`: used and remaining compute units of the key, checked against limits. */

import type * as z from "zod";
import { type JsonObject, SolxError, UsageError, withMessage } from "../../base/index.ts";
import { type Column, loadEntities } from "../../catalogue/index.ts";
import { durationText, type KnownUsage } from "../../client/index.ts";
import { createPainter, formatInfo, isTable, supportsUnicode } from "../../output/index.ts";
import { MONITOR_FORMATS, takeFormat } from "../options/own-format.ts";
import type { RunContext } from "../run/context.ts";
import { sourceOf } from "../run/data-source.ts";
import {
  assertLimits,
  checkLimits,
  hasLimit,
  joinPhrases,
  parseThresholds,
  type Thresholds,
  type UsageOptions,
} from "./limits.ts";
import type { UsageSnapshot, UsageSource } from "./snapshot.ts";
import type { TextLayout } from "./text.ts";

const MAX_ENDPOINTS = 5;

type MonitorFormat = (typeof MONITOR_FORMATS)[number];

/** Prints the usage, with `--watch` repeatedly. Throws CheckError (exit 11) when a limit is exceeded. */
export async function usage(context: RunContext, options: UsageOptions): Promise<void> {
  const format = takeFormat(context, MONITOR_FORMATS);
  const thresholds = parseThresholds(options);
  await checkSource(context);
  if (options.watch !== undefined) {
    if (format !== undefined) throw new UsageError(`--watch cannot be combined with -o ${format}`);
    return (await import("./watch.ts")).watch(context, options.watch, thresholds.fail);
  }
  const { createUsageSource } = await import("./snapshot.ts");
  const source = await createUsageSource(context);
  try {
    const snapshot = await source.poll().catch((error) => printWithoutNumbers(context, format, source, error));
    if (format === "nagios") return await printNagios(context, snapshot, thresholds);
    const { fail, warn } = thresholds;
    const printsOnlyCheck = context.globals.quiet && format === undefined && (hasLimit(fail) || hasLimit(warn));
    if (!printsOnlyCheck) await print(context, snapshot, format);
    if (snapshot.error) throw staleError(snapshot.error, snapshot);
    assertLimits(snapshot, fail);
    const warned = checkLimits(snapshot, warn);
    if (warned.length > 0) await context.reporter.report(`Warning: ${joinPhrases(warned)}`);
    if (snapshot.refusal) throw snapshot.refusal;
  } finally {
    source.close();
  }
}

/** @throws UsageError where answers do not depend on a key */
async function checkSource(context: RunContext): Promise<void> {
  const { chargesUnits, noun } = sourceOf(await context.session.settings()).facts;
  if (chargesUnits) return;
  throw new UsageError(`usage is about an API key, and ${noun} takes none.`, {
    hint: "For the usage of a key: SOLX_RPC_URL=off SOLX_INDEX=off solx usage",
  });
}

/** Prints what is known without numbers of the API (Prometheus gets `up 0`), and throws the error. */
async function printWithoutNumbers(
  context: RunContext,
  format: MonitorFormat | undefined,
  source: UsageSource,
  error: unknown,
): Promise<never> {
  if (context.io.signal.aborted) throw error;
  if (format === "prometheus") {
    const { prometheusText } = await import("./monitoring.ts");
    const profile = (await context.session.settings()).get("profile");
    await context.printer.printText(prometheusText(profile, undefined, source.samples.latest()?.at));
  } else if (format === undefined && error instanceof SolxError && error.code === "UNITS_PER_DAY") {
    if (await isText(context)) await printLocalUsage(context, source);
  }
  throw error;
}

async function isText(context: RunContext): Promise<boolean> {
  return isTable(await context.printer.format()) && context.globals.fields === undefined;
}

async function printLocalUsage(context: RunContext, source: UsageSource): Promise<void> {
  const local = await source.localUsage();
  const { limitLines } = await import("./text.ts");
  const lines = limitLines(local, await textLayout(context));
  await context.printer.printText(lines.map((line) => `${line}\n`).join(""));
  await printBusiest(context, local);
}

async function textLayout(context: RunContext): Promise<TextLayout> {
  const { width, theme, time } = await context.printer.options();
  return { width, paint: createPainter(theme), time, unicode: supportsUnicode(context.io.env) };
}

async function printNagios(context: RunContext, snapshot: UsageSnapshot, thresholds: Thresholds): Promise<void> {
  const { nagiosResult, numbersText } = await import("./monitoring.ts");
  if (snapshot.error) throw staleError(snapshot.error, snapshot, numbersText(snapshot));
  const { line, exitCode } = nagiosResult(snapshot, thresholds);
  await context.printer.printText(line);
  context.outcome.exitCode = exitCode;
}

/** Returns the error of the API with the age of the last known numbers. */
function staleError(error: SolxError, { now, at }: UsageSnapshot, numbers = ""): SolxError {
  const age = durationText(Math.max(0, (now - at) / 1000));
  const detail = numbers === "" ? `The last known numbers are ${age} old.` : `Last known (${age} ago): ${numbers}.`;
  return withMessage(error, `${error.message.replace(/\.$/, "")}. ${detail}`);
}

async function print(context: RunContext, snapshot: UsageSnapshot, format: MonitorFormat | undefined): Promise<void> {
  if (format === "prometheus") {
    const { prometheusText } = await import("./monitoring.ts");
    return context.printer.printText(prometheusText(snapshot.profile, snapshot));
  }
  const { Usage } = await loadEntities();
  const { UsageResult, usageResult, flattenResult } = await import("./derived.ts");
  if (!(await isText(context))) {
    const { family } = formatInfo(await context.printer.format());
    const isFlat = family === "delimited" && context.globals.fields === undefined;
    const result = usageResult(snapshot);
    return isFlat
      ? context.printer.printObject(flattenResult(result), { entity: async () => Usage })
      : context.printer.printObject(result, { entity: async () => UsageResult });
  }
  const { usageText } = await import("./text.ts");
  await context.printer.printText(usageText(snapshot, await textLayout(context)));
  await printBusiest(context, snapshot);
}

async function printBusiest(context: RunContext, { busiest, users }: KnownUsage): Promise<void> {
  const { EndpointUsageRow, UserUsageRow } = await import("./derived.ts");
  const print = async (rows: readonly object[], entity: z.ZodType, columns: readonly Column[]) => {
    if (rows.length === 0) return;
    await context.printer.printText("\n");
    const shown = rows.slice(0, MAX_ENDPOINTS).map((one): JsonObject => ({ ...one }));
    await context.printer.printRows(shown, { entity: async () => entity, columns });
  };
  const endpoint = { path: "endpoint", head: "busiest here, 24 h" };
  await print(busiest, EndpointUsageRow, [endpoint, "requests", "failed", "units"]);
  const command = { path: "command", head: "who, 24 h" };
  await print(users, UserUsageRow, [command, "profile", "machine", "requests", "units"]);
}
