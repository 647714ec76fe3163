/** Whether the use of a key is within limits. */
import { decimalOf, decimalText } from "../../base/decimal.ts";
import { IncompleteError } from "../../base/errors.ts";
import { forecastText } from "../../client/usage/forecast.ts";
import { grouped, percentText } from "../../output/number.ts";
import type { Look } from "./look.ts";
import { isLimited, type Limits } from "./options.ts";

/**
 * What is beyond the limits, in a phrase each; nothing when all is well.
 * @throws IncompleteError (code `UNKNOWN_USAGE`) when the numbers that a limit is about are not known
 */
export function beyond({ forecast }: Look, limits: Limits): readonly string[] {
  if (!isLimited(limits)) return [];
  const { percent, left, state, isOver } = forecast;
  const found: string[] = [];
  if (isOver) throw unknown(forecastText(forecast));
  if (limits.over !== undefined) {
    if (!percent) throw unknown("The API does not tell how much is used.");
    if (Number(decimalText(percent)) > limits.over) {
      found.push(`${percentText(percent)} of the units are used, more than ${limits.over}%`);
    }
  }
  if (limits.under !== undefined) {
    if (!left) throw unknown("The API does not tell how many units are left.");
    if (Number(decimalText(left)) < limits.under) {
      found.push(`${grouped(left)} units are left, fewer than ${countText(limits.under)}`);
    }
  }
  if (limits.renewal) {
    if (state === "unknown") throw unknown(forecastText(forecast));
    if (state !== "enough") found.push(inPassing(forecastText(forecast)));
  }
  return found;
}

/** Phrases as one sentence. */
export function sentenceOf(phrases: readonly string[]): string {
  const text = phrases.join("; ");
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}

/** A whole number with thousands separators. */
export function countText(value: number): string {
  const number = decimalOf(Math.round(value));
  return number ? grouped(number) : String(value);
}

const inPassing = (sentence: string) => sentence.charAt(0).toLowerCase() + sentence.slice(1).replace(/\.$/, "");

function unknown(message: string): IncompleteError {
  return new IncompleteError(`The usage cannot be checked. ${message}`, { code: "UNKNOWN_USAGE", retryable: true });
}
