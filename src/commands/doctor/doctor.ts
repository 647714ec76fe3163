/** `solx doctor`: looks at everything that requests depend on, and says what to do. */

import { userInfo } from "node:os";
import { CheckError, UsageError } from "../../base/errors.ts";
import type { JsonObject } from "../../base/json.ts";
import { pluralize } from "../../base/text.ts";
import { supportsUnicode } from "../../output/stream/terminal.ts";
import { confirmCost } from "../endpoint/cost.ts";
import type { RunContext } from "../run/context.ts";
import { canRedraw, getStatusLine } from "../run/status-line.ts";
import { COMPARED, DRIFT_CHECKS, DRIFT_UNITS, whyNotCompared } from "./checks-drift.ts";
import { FILE_CHECKS } from "./checks-files.ts";
import { KEY_CHECKS } from "./checks-key.ts";
import { MACHINE_CHECKS } from "./checks-machine.ts";
import { NETWORK_CHECKS } from "./checks-network.ts";
import { PROGRAM_CHECKS } from "./checks-program.ts";
import { type CheckContext, createContext, type DoctorOptions } from "./context.ts";
import { AREAS, type Area, type Check, type Finding } from "./finding.ts";
import { loadWhatIsGood } from "./load-settings.ts";
import { masksOf, reportText } from "./report.ts";
import { runChecks } from "./run-checks.ts";
import { type Looks, sectionText, summaryOf, titleOf } from "./text.ts";

/** Every check; areas are shown in their own order. */
const CHECKS: readonly Check[] = [
  ...PROGRAM_CHECKS,
  ...FILE_CHECKS,
  ...KEY_CHECKS,
  ...NETWORK_CHECKS,
  ...MACHINE_CHECKS,
  ...DRIFT_CHECKS,
];

const LEFT_OUT: Finding = {
  area: "network",
  check: "offline",
  level: "note",
  value: null,
  message: "nothing was sent: servers, key and clock were not looked at",
  hint: "With the network: solx doctor",
};

/**
 * Runs the checks and prints what they find.
 * @throws CheckError (exit 11) when something is a problem
 */
export async function doctor(context: RunContext, options: DoctorOptions): Promise<void> {
  const { json, output, fields, columns, jq } = context.globals;
  const isShaped = [fields, columns, jq].some((option) => option !== undefined);
  if (options.report && (json || output !== undefined || isShaped)) {
    throw new UsageError("--report is Markdown, and has no other format.", {
      hint: "For programs: solx doctor --json",
    });
  }
  if (options.drift && options.offline) {
    throw new UsageError("--drift and --offline contradict each other.", { hint: "Give one of them." });
  }
  const loaded = await loadWhatIsGood(await context.settingsOptions());
  context.useSettings(loaded.settings);
  const { width, color } = await context.outputOptions();
  const isText = (await context.format()) === "table" && !isShaped && !options.report;
  const checkContext = createContext(context, loaded, options);
  try {
    if (options.drift && !loaded.settings.sandbox && (await whyNotCompared(checkContext)) === undefined) {
      await confirmCost(context, { label: "doctor --drift", requests: COMPARED.length, units: DRIFT_UNITS });
      await context.reporter.note(
        `Comparing ${pluralize(COMPARED.length, "answer")} costs ${pluralize(DRIFT_UNITS, "compute unit")}.`,
      );
    }
    const looks = { width, color, unicode: supportsUnicode(context.io.env) };
    const findings = await examined(checkContext, isText ? looks : undefined);
    if (options.report) await context.printText(await reportOf(checkContext, findings));
    else if (!isText) await printFindings(context, findings);
    const summary = summaryOf(findings);
    if (findings.some(({ level }) => level === "problem")) throw new CheckError(`Found: ${summary}.`);
    if (isText)
      await context.printText(summary === undefined ? "Nothing is wrong.\n" : `No problem, but ${summary}.\n`);
  } finally {
    await checkContext.close();
  }
}

/** The findings in the order of the areas; for people, each area is written as soon as it and those before are known. */
async function examined(checkContext: CheckContext, looks: Looks | undefined): Promise<readonly Finding[]> {
  const { context, options } = checkContext;
  const checks = CHECKS.filter(({ sends }) => !(sends && options.offline));
  const running = runChecks(checks, checkContext);
  for (const findings of running.values()) findings.catch(() => {});
  const slot = looks && canRedraw(context.io) ? getStatusLine(context).open() : undefined;
  const found: Finding[] = [];
  const told: Told = new Map();
  try {
    for (const area of AREAS) {
      slot?.show(`Looking: ${titleOf(area)}`);
      const own = (await findingsIn(area, running)).map((finding) => onceTold(finding, told));
      if (area === LEFT_OUT.area && options.offline) own.push(LEFT_OUT);
      found.push(...own);
      if (!looks) continue;
      getStatusLine(context).hide();
      await context.printText(sectionText(area, own, looks));
    }
  } finally {
    slot?.close();
  }
  return found;
}

/** Findings by their sentence. */
type Told = Map<string, Finding>;

/** A finding; where nothing could be looked at for a reason that was told before, no problem of its own. */
function onceTold(finding: Finding, told: Told): Finding {
  const { level, value, message } = finding;
  if (level !== "problem") return finding;
  const first = told.get(message);
  if (first === undefined) told.set(message, finding);
  if (first === undefined || typeof value !== "string") return finding;
  return {
    ...finding,
    level: "note",
    message: `not looked at: see ${first.check} under ${titleOf(first.area)}`,
    hint: null,
  };
}

async function findingsIn(area: Area, running: ReturnType<typeof runChecks>): Promise<Finding[]> {
  const own = [...running].filter(([check]) => check.area === area).map(([, findings]) => findings);
  return (await Promise.all(own)).flat();
}

async function printFindings(context: RunContext, findings: readonly Finding[]): Promise<void> {
  const rows = findings.map((finding): JsonObject => ({ ...finding }));
  const entity = async () => (await import("./schemas.ts")).FindingRow;
  await context.printRows(rows, { entity, columns: ["area", "check", "level", "message", "hint"] });
}

async function reportOf({ context, settings, key }: CheckContext, findings: readonly Finding[]): Promise<string> {
  const value = (await key().catch(() => undefined))?.value;
  await context.reporter.hint("Look through it before you paste it anywhere: names of your own may be in it.");
  return reportText(findings, masksOf(settings, context.io.env, value, userName()));
}

function userName(): string {
  try {
    return userInfo().username;
  } catch {
    // A user without an entry of the system has no name.
    return "";
  }
}
