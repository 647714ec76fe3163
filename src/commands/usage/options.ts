/** The options of `solx usage`, and the limits that they set. */
import { UsageError } from "../../base/errors.ts";

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
 * @throws UsageError when one cannot be read
 */
export function thresholdsOf(options: UsageOptions): Thresholds {
  return {
    fail: limitsOf("fail", options.failOver, options.failUnderUnits, options.failBeforeRenewal),
    warn: limitsOf("warn", options.warnOver, options.warnUnderUnits, options.warnBeforeRenewal),
  };
}

/** Whether there is any. */
export function isLimited({ over, under, renewal }: Limits): boolean {
  return over !== undefined || under !== undefined || renewal;
}

function limitsOf(name: string, over?: string, under?: string, renewal = false): Limits {
  return {
    renewal,
    ...(over === undefined ? {} : { over: percentIn(`--${name}-over`, over) }),
    ...(under === undefined ? {} : { under: unitsIn(`--${name}-under-units`, under) }),
  };
}

function percentIn(option: string, text: string): number {
  const [, number] = /^(\d{1,3}(?:\.\d{1,6})?) ?%?$/.exec(text.trim()) ?? [];
  if (number !== undefined && Number(number) <= 100) return Number(number);
  throw new UsageError(`${option} ${text}: that is no percentage from 0 to 100.`, {
    hint: `For example: ${option} 80%`,
  });
}

const FACTORS: Readonly<Record<string, number>> = { "": 1, k: 1e3, m: 1e6, g: 1e9, b: 1e9 };

function unitsIn(option: string, text: string): number {
  const [, number, letter = ""] = /^(\d[\d_,]*(?:\.\d+)?) ?([kmgb]?)$/i.exec(text.trim()) ?? [];
  const units = Number(number?.replace(/[_,]/g, "")) * (FACTORS[letter.toLowerCase()] ?? Number.NaN);
  if (Number.isSafeInteger(Math.round(units))) return Math.round(units);
  throw new UsageError(`${option} ${text}: that is no number of units.`, {
    hint: `For example: ${option} 10M, or ${option} 1_000_000`,
  });
}
