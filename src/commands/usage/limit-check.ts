/** Whether the use of a key is within limits. */
import { decimalOf, decimalText } from "../../base/decimal.ts";
import { IncompleteError } from "../../base/errors.ts";
import { type Forecast, forecastText } from "../../client/index.ts";
import { formatUsedShare, groupDigits } from "../../output/values/number.ts";
import { isLimited, type Limits } from "./options.ts";
import type { Look } from "./snapshot.ts";

/** What limits come to, in a phrase each. */
interface Findings {
  readonly exceeded: string[];
  /** What a limit is about and is not known. */
  readonly unknown: string[];
}

/**
 * What is beyond the limits, in a phrase each, and then what else is not known; nothing when all is well.
 * @throws IncompleteError (code `UNKNOWN_USAGE`) when numbers that a limit is about are not known and no other limit
 * is exceeded
 */
export function beyond(look: Look, limits: Limits): readonly string[] {
  const { exceeded, unknown } = findingsOf(look, limits);
  if (exceeded.length > 0 || unknown.length === 0) return [...exceeded, ...unknown];
  throw new IncompleteError(`The usage cannot be checked. ${sentenceOf(unknown)}`, {
    code: "UNKNOWN_USAGE",
    retryable: true,
  });
}

function findingsOf(look: Look, limits: Limits): Findings {
  const [exceeded, unknown]: [string[], string[]] = [[], []];
  const found = { exceeded, unknown };
  const { forecast } = look;
  if (!isLimited(limits)) return found;
  if (forecast.isOver) unknown.push(inPassing(forecastText(forecast)));
  else {
    if (limits.over !== undefined) addShare(found, forecast, limits.over);
    if (limits.under !== undefined) addLeft(found, forecast, limits.under);
    if (limits.renewal) addRenewal(found, forecast);
  }
  return found;
}

function addShare({ exceeded, unknown }: Findings, { percent, state }: Forecast, over: number): void {
  if (!percent) {
    if (state === "none") exceeded.push("no units are left");
    else unknown.push("the API does not tell how much is used");
  } else if (Number(decimalText(percent)) > over) {
    exceeded.push(`${formatUsedShare(percent)} of the units are used, more than ${over}%`);
  }
}

function addLeft({ exceeded, unknown }: Findings, { remaining: left }: Forecast, under: number): void {
  if (!left) unknown.push("the API does not tell how many units are left");
  else if (Number(decimalText(left)) < under) {
    exceeded.push(`${groupDigits(left)} units are left, fewer than ${countText(under)}`);
  }
}

function addRenewal({ exceeded, unknown }: Findings, forecast: Forecast): void {
  if (forecast.state === "enough") return;
  const list = forecast.state === "unknown" ? unknown : exceeded;
  list.push(inPassing(forecastText(forecast)));
}

/** Phrases as one sentence. */
export function sentenceOf(phrases: readonly string[]): string {
  const text = phrases.join("; ");
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}

/** A whole number with thousands separators. */
export function countText(value: number): string {
  const number = decimalOf(Math.round(value));
  return number ? groupDigits(number) : String(value);
}

const inPassing = (sentence: string) => sentence.charAt(0).toLowerCase() + sentence.slice(1).replace(/\.$/, "");
