/** Checks the usage of a key against limits. */
import { decimalText, groupThousands, IncompleteError } from "../../base/index.ts";
import { type Forecast, forecastText } from "../../client/index.ts";
import { formatUsedShare, groupDigits } from "../../output/index.ts";
import { hasLimit, type Limits } from "./options.ts";
import type { UsageSnapshot } from "./snapshot.ts";

/** Results of the check as phrases. */
interface LimitFindings {
  readonly exceeded: string[];
  /** Required numbers that are unknown. */
  readonly unknown: string[];
}

/**
 * Returns the exceeded limits as phrases, followed by required numbers that are unknown; empty within all limits.
 * @throws IncompleteError (code `UNKNOWN_USAGE`) when a required number is unknown and no other limit is exceeded
 */
export function checkLimits(snapshot: UsageSnapshot, limits: Limits): readonly string[] {
  const { exceeded, unknown } = evaluateLimits(snapshot, limits);
  if (exceeded.length > 0 || unknown.length === 0) return [...exceeded, ...unknown];
  throw new IncompleteError(`cannot evaluate the limits: ${unknown.join("; ")}`, {
    code: "UNKNOWN_USAGE",
    retryable: true,
  });
}

function evaluateLimits(snapshot: UsageSnapshot, limits: Limits): LimitFindings {
  const [exceeded, unknown]: [string[], string[]] = [[], []];
  const findings = { exceeded, unknown };
  const { forecast } = snapshot;
  if (!hasLimit(limits)) return findings;
  if (forecast.isOver) unknown.push(asPhrase(forecastText(forecast)));
  else {
    if (limits.over !== undefined) addShare(findings, forecast, limits.over);
    if (limits.under !== undefined) addRemaining(findings, forecast, limits.under);
    if (limits.renewal) addRenewal(findings, forecast);
  }
  return findings;
}

function addShare({ exceeded, unknown }: LimitFindings, { percent, state }: Forecast, over: number): void {
  if (!percent) {
    if (state === "none") exceeded.push("no units are left");
    else unknown.push("the API does not report the used units");
  } else if (Number(decimalText(percent)) > over) {
    exceeded.push(`${formatUsedShare(percent)} of the units are used, more than ${over}%`);
  }
}

function addRemaining({ exceeded, unknown }: LimitFindings, { remaining }: Forecast, under: number): void {
  if (!remaining) unknown.push("the API does not report the remaining units");
  else if (Number(decimalText(remaining)) < under) {
    exceeded.push(`${groupDigits(remaining)} units are left, fewer than ${formatCount(under)}`);
  }
}

function addRenewal({ exceeded, unknown }: LimitFindings, forecast: Forecast): void {
  if (forecast.state === "enough") return;
  const list = forecast.state === "unknown" ? unknown : exceeded;
  list.push(asPhrase(forecastText(forecast)));
}

/** Joins phrases to a sentence. */
export function joinPhrases(phrases: readonly string[]): string {
  const text = phrases.join("; ");
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}

/** Formats a number as an integer with thousands separators. */
export function formatCount(value: number): string {
  return groupThousands(Math.round(value));
}

const asPhrase = (sentence: string) => sentence.charAt(0).toLowerCase() + sentence.slice(1).replace(/\.$/, "");
