/** The options of `solx usage` and the limits that they set. */
import { CheckError, capitalize, decimalText, groupThousands, IncompleteError, UsageError } from "../../base/index.ts";
import { parseUnits, UNITS_SYNTAX } from "../../catalogue/index.ts";
import { type Forecast, forecastText } from "../../client/index.ts";
import { formatUsedShare, groupDigits } from "../../output/index.ts";
import type { UsageSnapshot } from "./snapshot.ts";

/** The options as typed. */
export interface UsageOptions {
  /** The interval, or true without one. */
  readonly watch?: string | true;
  readonly failOver?: string;
  readonly failUnderUnits?: string;
  readonly failBeforeRenewal?: true;
  readonly warnOver?: string;
  readonly warnUnderUnits?: string;
  readonly warnBeforeRenewal?: true;
}

/** Limits of one severity. */
export interface Limits {
  /** Maximum used share of the units, in percent. */
  readonly over?: number;
  /** Minimum number of remaining units. */
  readonly under?: number;
  /** Whether the units must last until the renewal. */
  readonly mustLastUntilRenewal: boolean;
}

/** Limits that fail the check and limits that print a warning. */
export interface Thresholds {
  readonly fail: Limits;
  readonly warn: Limits;
}

/** Parses the limits. Throws UsageError for an invalid one, or a warning that the failure limit precedes. */
export function parseThresholds(options: UsageOptions): Thresholds {
  const fail = parseLimits("fail", options.failOver, options.failUnderUnits, options.failBeforeRenewal);
  const warn = parseLimits("warn", options.warnOver, options.warnUnderUnits, options.warnBeforeRenewal);
  if (warn.over !== undefined && fail.over !== undefined && warn.over > fail.over) {
    throw unreachableWarning(`--warn-over ${options.warnOver}`, "above", `--fail-over ${options.failOver}`);
  }
  if (warn.under !== undefined && fail.under !== undefined && warn.under < fail.under) {
    throw unreachableWarning(
      `--warn-under-units ${options.warnUnderUnits}`,
      "below",
      `--fail-under-units ${options.failUnderUnits}`,
    );
  }
  return { fail, warn };
}

function unreachableWarning(warn: string, where: string, fail: string): UsageError {
  return new UsageError(`${warn} is ${where} ${fail}, so the warning would never be printed`, {
    hint: "Swap the two values.",
  });
}

/** Whether any limit is set. */
export function hasLimit({ over, under, mustLastUntilRenewal }: Limits): boolean {
  return over !== undefined || under !== undefined || mustLastUntilRenewal;
}

function parseLimits(name: string, over?: string, under?: string, mustLastUntilRenewal = false): Limits {
  return {
    mustLastUntilRenewal,
    ...(over === undefined ? {} : { over: parsePercent(`--${name}-over`, over) }),
    ...(under === undefined ? {} : { under: parseUnitsOption(`--${name}-under-units`, under) }),
  };
}

function parsePercent(option: string, text: string): number {
  const [, number, sign] = /^(\d{1,3}(?:\.\d{1,6})?) ?(%?)$/.exec(text.trim()) ?? [];
  if (sign === "" && Number(number) > 0 && Number(number) < 1) {
    throw new UsageError(`invalid value "${text}" for ${option}: expected a percentage`, {
      hint: `Use ${option} ${Math.round(Number(number) * 1e8) / 1e6}%, or ${option} ${number}% if that is intended.`,
    });
  }
  if (number !== undefined && Number(number) <= 100) return Number(number);
  throw new UsageError(`invalid value "${text}" for ${option}: expected a percentage from 0 to 100`, {
    hint: `Example: ${option} 80%`,
  });
}

function parseUnitsOption(option: string, text: string): number {
  const units = parseUnits(text);
  if (units !== undefined) return units;
  throw new UsageError(`invalid value "${text}" for ${option}: expected a whole number of compute units`, {
    hint: text.includes(",")
      ? "Commas separate groups of three digits (10,500,000); the decimal separator is a dot (10.5M)."
      : `Examples: ${UNITS_SYNTAX}`,
  });
}

/** Returns exceeded limits, then unknown numbers, as phrases. Throws IncompleteError for unknown numbers alone. */
export function checkLimits({ forecast }: UsageSnapshot, limits: Limits): readonly string[] {
  const findings = hasLimit(limits) ? findLimits(forecast, limits) : [];
  const phrases = (kind: Finding["kind"]) => findings.flatMap((one) => (one?.kind === kind ? [one.phrase] : []));
  const [exceeded, unknown] = [phrases("exceeded"), phrases("unknown")];
  if (exceeded.length > 0 || unknown.length === 0) return [...exceeded, ...unknown];
  throw new IncompleteError(`cannot evaluate the limits: ${unknown.join("; ")}`, {
    code: "UNKNOWN_USAGE",
    retryable: true,
  });
}

/** Throws CheckError for exceeded limits, and IncompleteError when they cannot be evaluated. */
export function assertLimits(snapshot: UsageSnapshot, limits: Limits): void {
  const exceeded = checkLimits(snapshot, limits);
  if (exceeded.length > 0) throw new CheckError(joinPhrases(exceeded), { code: "CHECK" });
}

/** A limit that is exceeded, or a number that it needs and that is unknown. */
interface Finding {
  readonly kind: "exceeded" | "unknown";
  readonly phrase: string;
}

function findLimits(
  forecast: Forecast,
  { over, under, mustLastUntilRenewal }: Limits,
): readonly (Finding | undefined)[] {
  const text = forecastText(forecast);
  const summary = text.charAt(0).toLowerCase() + text.slice(1).replace(/\.$/, "");
  if (forecast.isOver) return [{ kind: "unknown", phrase: summary }];
  const { state } = forecast;
  return [
    over === undefined ? undefined : findShare(forecast, over),
    under === undefined ? undefined : findRemaining(forecast, under),
    mustLastUntilRenewal && state !== "enough"
      ? { kind: state === "unknown" ? "unknown" : "exceeded", phrase: summary }
      : undefined,
  ];
}

function findShare({ percent, state }: Forecast, over: number): Finding | undefined {
  if (percent && Number(decimalText(percent)) > over) {
    return { kind: "exceeded", phrase: `${formatUsedShare(percent)} of the units are used, more than ${over}%` };
  }
  if (percent) return undefined;
  return state === "none"
    ? { kind: "exceeded", phrase: "no units are left" }
    : { kind: "unknown", phrase: "the API does not report the used units" };
}

function findRemaining({ remaining }: Forecast, under: number): Finding | undefined {
  if (!remaining) return { kind: "unknown", phrase: "the API does not report the remaining units" };
  if (Number(decimalText(remaining)) >= under) return undefined;
  return { kind: "exceeded", phrase: `${groupDigits(remaining)} units are left, fewer than ${formatCount(under)}` };
}

/** Joins phrases to a sentence. */
export const joinPhrases = (phrases: readonly string[]): string => `${capitalize(phrases.join("; "))}.`;

/** Formats a number as an integer with thousands separators. */
export function formatCount(value: number): string {
  return groupThousands(Math.round(value));
}
