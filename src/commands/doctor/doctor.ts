/** `solx doctor`: checks everything that requests depend on, with a hint for each finding. */

import { userInfo } from "node:os";
import { CheckError, type JsonObject, pluralize, UsageError } from "../../base/index.ts";
import { isTable, supportsUnicode } from "../../output/index.ts";
import { confirmCost } from "../endpoint/cost.ts";
import type { RunContext } from "../run/context.ts";
import { canRedraw, getStatusLine } from "../run/status-line.ts";
import { AREAS, type Area, type Check, type Finding, runChecks } from "./checks.ts";
import { type CheckContext, createContext, type DoctorOptions, loadValidSettings } from "./context.ts";
import { collectMasks, formatReport, sectionText, summaryOf, type TextLayout } from "./findings.ts";
import { MACHINE_CHECKS } from "./machine-checks.ts";
import {
  CERTIFICATE_CHECK,
  COMPARED_ENDPOINTS,
  comparisonObstacle,
  DRIFT_UNITS,
  SERVER_CHECKS,
} from "./server-checks.ts";

async function checksFor({ settings, options }: CheckContext): Promise<readonly Check[]> {
  const remote = settings.node()
    ? [CERTIFICATE_CHECK, ...(await import("./node-checks.ts")).NODE_CHECKS]
    : SERVER_CHECKS;
  return [...MACHINE_CHECKS, ...remote].filter(({ sends }) => !(sends && options.offline));
}

const OFFLINE_FINDING: Finding = {
  area: "network",
  check: "offline",
  level: "note",
  value: null,
  message: "no request sent: servers, key and clock were not checked",
  hint: "To check them: solx doctor",
};

/** Runs the checks and prints the findings. Throws CheckError (exit 11) when a finding is a problem. */
export async function doctor(context: RunContext, options: DoctorOptions): Promise<void> {
  const { output, fields, columns, jq } = context.globals;
  const isShaped = [fields, columns, jq].some((option) => option !== undefined);
  const refuse = (message: string, hint = "Use one of them.") => new UsageError(message, { hint });
  if (options.report && (output !== undefined || isShaped)) {
    throw refuse(
      "--report prints Markdown and cannot be combined with output options.",
      "For programs: solx doctor -o json",
    );
  }
  if (options.drift && options.offline) throw refuse("--drift and --offline cannot be combined.");
  const loaded = await loadValidSettings(await context.session.settingsOptions());
  if (options.drift && loaded.settings.node()) {
    throw refuse("--drift compares answers of the API, and cannot be combined with --rpc.");
  }
  context.session.useSettings(loaded.settings);
  const { width, theme } = await context.printer.options();
  const isText = isTable(await context.printer.format()) && !isShaped && !options.report;
  const checkContext = createContext(context, loaded, options);
  try {
    if (options.drift && !checkContext.facts.isSimulated && (await comparisonObstacle(checkContext)) === undefined) {
      await confirmCost(context, { label: "doctor --drift", requests: COMPARED_ENDPOINTS.length, units: DRIFT_UNITS });
      await context.reporter.note(
        `Comparing ${pluralize(COMPARED_ENDPOINTS.length, "answer")} costs ${pluralize(DRIFT_UNITS, "compute unit")}.`,
      );
    }
    const layout = { width, theme, unicode: supportsUnicode(context.io.env) };
    const findings = await collectFindings(checkContext, isText ? layout : undefined);
    if (options.report) await context.printer.printText(await createReport(checkContext, findings));
    else if (!isText) await printFindings(context, findings);
    const summary = summaryOf(findings);
    if (findings.some(({ level }) => level === "problem")) throw new CheckError(`found ${summary}`);
    if (isText)
      await context.printer.printText(summary === undefined ? "No problems found.\n" : `No problems, ${summary}.\n`);
  } finally {
    await checkContext.close();
  }
}

/** Runs the checks and returns the findings by area. With a layout, prints each area as soon as it is complete. */
async function collectFindings(
  checkContext: CheckContext,
  layout: TextLayout | undefined,
): Promise<readonly Finding[]> {
  const { context, options } = checkContext;
  const running = runChecks(await checksFor(checkContext), checkContext);
  for (const findings of running.values()) findings.catch(() => {});
  const status = layout && canRedraw(context.io) ? getStatusLine(context).open() : undefined;
  const all: Finding[] = [];
  const reported = new Map<string, Finding>();
  try {
    for (const area of Object.keys(AREAS) as Area[]) {
      status?.show(`Checking: ${AREAS[area]}`);
      const ofArea = [...running].filter(([check]) => check.area === area).map(([, findings]) => findings);
      const found = (await Promise.all(ofArea)).flat().map((finding) => withoutRepetition(finding, reported));
      if (area === OFFLINE_FINDING.area && options.offline) found.push(OFFLINE_FINDING);
      all.push(...found);
      if (!layout) continue;
      getStatusLine(context).hide();
      await context.printer.printText(sectionText(area, found, layout));
    }
  } finally {
    status?.close();
  }
  return all;
}

/** Returns a finding. A check that failed for a reason that was already reported becomes a note. */
function withoutRepetition(finding: Finding, reported: Map<string, Finding>): Finding {
  if (finding.level !== "problem") return finding;
  const first = reported.get(finding.message);
  if (first === undefined) reported.set(finding.message, finding);
  if (first === undefined || typeof finding.value !== "string") return finding;
  const message = `not checked: see ${first.check} under ${AREAS[first.area]}`;
  return { ...finding, level: "note", message, hint: null };
}

async function printFindings(context: RunContext, findings: readonly Finding[]): Promise<void> {
  const rows = findings.map((finding): JsonObject => ({ ...finding }));
  const entity = async () => (await import("./schemas.ts")).FindingRow;
  await context.printer.printRows(rows, { entity, columns: ["area", "check", "level", "message", "hint"] });
}

async function createReport({ context, settings, key }: CheckContext, findings: readonly Finding[]): Promise<string> {
  const value = (await key().catch(() => undefined))?.value;
  await context.reporter.hint("Review the report before you publish it: it may contain private names.");
  return formatReport(findings, collectMasks(settings, context.io.env, value, userName()));
}

function userName(): string {
  try {
    return userInfo().username;
  } catch {
    // The user has no entry in the user database.
    return "";
  }
}
