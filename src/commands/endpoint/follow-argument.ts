/** The word after `--follow`: every command line is looked at here, so nothing is loaded for it. */
import { DAY_SECONDS } from "../../base/time.ts";

const UNITS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600, d: DAY_SECONDS, w: 604_800, y: 31_536_000 };

/** Seconds of a span such as `30s`, `2m`, `1h` or plain seconds; undefined for anything else. */
export function parseDuration(text: string): number | undefined {
  const [, number, unit = "s"] = /^(\d{1,9}(?:\.\d{1,3})?) ?([smhdwy])?$/i.exec(text.trim()) ?? [];
  return number === undefined ? undefined : Number(number) * (UNITS[unit.toLowerCase()] ?? 1);
}

/**
 * The line with `--follow` standing alone where the word after it is no interval but an argument: `--follow <address>`.
 */
export function detachFollowArgument(argv: readonly string[]): string[] {
  const end = argv.indexOf("--");
  return argv.map((word, at) => {
    const next = argv[at + 1];
    const isOption = word === "--follow" && (end < 0 || at < end);
    return isOption && next !== undefined && parseDuration(next) === undefined ? "--follow=" : word;
  });
}
