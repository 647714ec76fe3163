/** Options of single commands that are numbers. */
import { UsageError } from "../base/index.ts";
import { quoteText } from "../config/index.ts";

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
  const value = (isWhole ? /^\d{1,13}$/ : /^\d{1,6}(\.\d{1,6})?$/).test(text.trim()) ? Number(text) : Number.NaN;
  if (value >= min && value <= max) return value;
  const expected = `${isWhole ? "whole " : ""}number from ${min} to ${max}`;
  throw new UsageError(`invalid value ${quoteText(text)} for ${name}: expected a ${expected}`);
}
