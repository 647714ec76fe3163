/** Options of single commands that are numbers, and how often a command polls. */
import { DAY_SECONDS, UsageError } from "../base/index.ts";
import { quoteText } from "../config/index.ts";
import { parseDuration } from "./run/arguments.ts";

interface NumberBounds {
  readonly min: number;
  readonly max: number;
  /** Default: true. */
  readonly isWhole?: boolean;
}

/** The bounds of a port; 0 selects a free one. */
export const PORTS: NumberBounds = { min: 0, max: 65_535 };

/** Parses the value of an option. Throws UsageError for anything but a number within the bounds. */
export function parseNumberOption(name: string, text: string, { min, max, isWhole = true }: NumberBounds): number {
  const value = (isWhole ? /^\d{1,13}$/ : /^\d{1,13}(\.\d{1,6})?$/).test(text.trim()) ? Number(text) : Number.NaN;
  if (value >= min && value <= max) return value;
  const expected = `${isWhole ? "whole " : ""}number from ${min} to ${max}`;
  throw new UsageError(`invalid value ${quoteText(text)} for ${name}: expected a ${expected}`);
}

/** How often a command polls, in seconds: at most once in a while, at least once a day. */
interface IntervalBounds {
  readonly min: number;
  readonly default: number;
}

/** Returns the seconds between polls. Throws UsageError for anything but a duration within the bounds. */
export function parseInterval(name: string, input: string | true, bounds: IntervalBounds): number {
  if (input === true || input === "") return bounds.default;
  const seconds = parseDuration(input) ?? Number.NaN;
  if (seconds >= bounds.min && seconds <= DAY_SECONDS) return seconds;
  throw new UsageError(
    `invalid value ${quoteText(input)} for ${name}: expected an interval from ${bounds.min}s to 24h`,
    {
      hint: "Examples: 30s, 2m, 1h. Each poll costs a request.",
    },
  );
}
