/** Parses the optional argument of `--follow`. Used on every command line: imports base only. */
import { UNIT_SECONDS } from "../../base/index.ts";

const UNITS: Readonly<Record<string, number>> = UNIT_SECONDS;

/** Returns the seconds of a duration such as `30s`, `2m`, `1h` or plain seconds; undefined for anything else. */
export function parseDuration(text: string): number | undefined {
  const [, number, unit = "s"] = /^(\d{1,9}(?:\.\d{1,3})?) ?([smhdwy])?$/i.exec(text.trim()) ?? [];
  return number === undefined ? undefined : Number(number) * (UNITS[unit.toLowerCase()] ?? 1);
}

/**
 * Returns the command line with `--follow=` in place of `--follow` when the next word is not an interval but another
 * argument, as in `--follow <address>`.
 */
export function detachFollowArgument(argv: readonly string[]): string[] {
  const end = argv.indexOf("--");
  return argv.map((word, at) => {
    const next = argv[at + 1];
    const isOption = word === "--follow" && (end < 0 || at < end);
    return isOption && next !== undefined && parseDuration(next) === undefined ? "--follow=" : word;
  });
}
