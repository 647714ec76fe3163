/** The options of `solx usage`, and the limits that they set. */

import { parseUnits, UNITS_SYNTAX, UsageError } from "../../base/index.ts";

/** What was typed, as commander hands it over. */
export interface UsageOptions {
  /** An interval, or true where none was given. */
  readonly watch?: string | true;
  readonly failOver?: string;
  readonly failUnderUnits?: string;
  readonly failBeforeRenewal?: true;
  readonly warnOver?: string;
  readonly warnUnderUnits?: string;
  readonly warnBeforeRenewal?: true;
}

/** What is too much. */
export interface Limits {
  /** Percent of the units that may be used. */
  readonly over?: number;
  /** Units that must be left. */
  readonly under?: number;
  /** Whether the units must last until the renewal. */
  readonly renewal: boolean;
}

/** Limits that fail the check, and those that warn. */
export interface Thresholds {
  readonly fail: Limits;
  readonly warn: Limits;
}

/**
 * The limits of a run.
 * @throws UsageError when one cannot be read, or a warning would come later than its failure
 */
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
  return new UsageError(`${warn} is ${where} ${fail}: the warning would never come.`, { hint: "Swap the two values." });
}

/** Whether there is any. */
export function hasLimit({ over, under, renewal }: Limits): boolean {
  return over !== undefined || under !== undefined || renewal;
}

function parseLimits(name: string, over?: string, under?: string, renewal = false): Limits {
  return {
    renewal,
    ...(over === undefined ? {} : { over: parsePercent(`--${name}-over`, over) }),
    ...(under === undefined ? {} : { under: parseUnitsOption(`--${name}-under-units`, under) }),
  };
}

function parsePercent(option: string, text: string): number {
  const [, number, sign] = /^(\d{1,3}(?:\.\d{1,6})?) ?(%?)$/.exec(text.trim()) ?? [];
  if (sign === "" && Number(number) > 0 && Number(number) < 1) {
    throw new UsageError(`${option} ${text}: a share is given in percent.`, {
      hint: `${option} ${Math.round(Number(number) * 1e8) / 1e6}%, or if it is meant so: ${option} ${number}%`,
    });
  }
  if (number !== undefined && Number(number) <= 100) return Number(number);
  throw new UsageError(`${option} ${text}: that is no percentage from 0 to 100.`, {
    hint: `For example: ${option} 80%`,
  });
}

function parseUnitsOption(option: string, text: string): number {
  const units = parseUnits(text);
  if (units !== undefined) return units;
  throw new UsageError(`${option} ${text}: that is no whole number of units.`, {
    hint: text.includes(",")
      ? "Commas stand between groups of three digits, as in 10,500,000; the decimal point is a dot, as in 10.5M"
      : `Such as ${UNITS_SYNTAX}`,
  });
}
