/** `solx doctor`: checks everything that requests depend on, with a hint for each finding. */

import { userInfo } from "node:os";
import { CheckError, pluralize, UsageError } from "../../base/index.ts";
import { createPainter, isTable, supportsUnicode } from "../../output/index.ts";
import { confirmCost } from "../endpoint/cost.ts";
import { shapingOption } from "../options/global-options.ts";
import type { RunContext } from "../run/context.ts";
import { canRedraw, getStatusLine } from "../run/status-line.ts";
import { AREAS, type Area, type Check, type Finding, note, runCheck } from "./checks.ts";
import { type CheckContext, createContext, type DoctorOptions, loadValidSettings } from "./context.ts";
import { collectMasks, formatReport, sectionText, summarize, type TextLayout } from "./findings.ts";
import { MACHINE_CHECKS } from "./machine-checks.ts";
import {
  CERTIFICATE_CHECK,
  COMPARED_ENDPOINTS,
  comparisonObstacle,
  DRIFT_CHECKS,
  DRIFT_UNITS,
  SERVER_CHECKS,
} from "./server-checks.ts";

const OFFLINE_NOTE: Check = {
  area: "network",
  name: "offline",
  run: async () =>
    note("no request sent: servers, key and clock were not checked", { hint: "To check them: solx doctor" }),
};

/** Runs the checks and prints the findings. Throws CheckError (exit 11) when a finding is a problem. */
export async function doctor(context: RunContext, options: DoctorOptions): Promise<void> {
  const { printer, session, reporter } = context;
  const isShaped = shapingOption(context.globals) !== undefined;
  const refuse = (message: string, hint = "Use one of them.") => new UsageError(message, { hint });
  if (options.report && (context.globals.output !== undefined || isShaped)) {
    throw refuse(
      "--report prints Markdown and cannot be combined with output options.",
      "For programs: solx doctor -o json",
    );
  }
  if (options.drift && options.offline) throw refuse("--drift and --offline cannot be combined.");
  const loaded = await loadValidSettings(session.settingsOptions());
  if (options.drift && loaded.settings.node()) {
    throw refuse("--drift compares answers of the API, and cannot be combined with --rpc.");
  }
  session.useSettings(loaded.settings);
  const { width, theme } = await printer.options();
  const isText = isTable(await printer.format()) && !isShaped && !options.report;
  const checkContext = createContext(context, options, loaded);
  if (options.drift && !checkContext.facts.isSimulated && (await comparisonObstacle(checkContext)) === undefined) {
    await confirmCost(context, { label: "doctor --drift", requests: COMPARED_ENDPOINTS.length, units: DRIFT_UNITS });
    await reporter.note(
      `Comparing ${pluralize(COMPARED_ENDPOINTS.length, "answer")} costs ${pluralize(DRIFT_UNITS, "compute unit")}.`,
    );
  }
  const layout = { width, paint: createPainter(theme), unicode: supportsUnicode(context.io.env) };
  const findings = await collectFindings(checkContext, isText ? layout : undefined);
  if (options.report) {
    const key = (await checkContext.key().catch(() => undefined))?.value;
    await reporter.hint("Review the report before you publish it: it may contain private names.");
    const masks = collectMasks(loaded.settings, context.io.env, key, userName());
    await printer.printText(formatReport(findings, masks));
  } else if (!isText) {
    const entity = async () => (await import("../schemas.ts")).FindingRow;
    const rows = findings.map((finding) => ({ ...finding }));
    await printer.printRows(rows, { entity, columns: ["area", "check", "level", "message", "hint"] });
  }
  const summary = summarize(findings);
  if (findings.some(({ level }) => level === "problem")) throw new CheckError(`found ${summary}`);
  if (isText) await printer.printText(summary === undefined ? "No problems found.\n" : `No problems, ${summary}.\n`);
}

async function checksFor({ settings, options }: CheckContext): Promise<readonly Check[]> {
  const remote = settings.node()
    ? [CERTIFICATE_CHECK, ...(await import("./node-checks.ts")).NODE_CHECKS]
    : [...SERVER_CHECKS, ...(options.drift ? DRIFT_CHECKS : [])];
  const checks = [...MACHINE_CHECKS, ...remote];
  return options.offline ? [...checks.filter(({ sends }) => !sends), OFFLINE_NOTE] : checks;
}

/** Runs the checks and returns the findings by area. With a layout, prints each area as soon as it is complete. */
async function collectFindings(
  checkContext: CheckContext,
  layout: TextLayout | undefined,
): Promise<readonly Finding[]> {
  const { context } = checkContext;
  const running = (await checksFor(checkContext)).map((check) => {
    const findings = runCheck(check, checkContext);
    // A stop of the run is reported by the area that is waited for.
    findings.catch(() => {});
    return { area: check.area, findings };
  });
  const status = layout && canRedraw(context.io) ? getStatusLine(context).open() : undefined;
  const all: Finding[] = [];
  const reported = new Map<string, Finding>();
  try {
    for (const area of Object.keys(AREAS) as Area[]) {
      status?.show(`Checking: ${AREAS[area]}`);
      const ofArea = running.filter((check) => check.area === area).map(({ findings }) => findings);
      const found = (await Promise.all(ofArea)).flat().map((finding) => withoutRepetition(finding, reported));
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

function userName(): string {
  try {
    return userInfo().username;
  } catch {
    // The user has no entry in the user database.
    return "";
  }
}
