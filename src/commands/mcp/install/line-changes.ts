/** The change of a text as a unified diff. */

const CONTEXT_LINES = 3;

/** Returns a unified diff of two texts: the lines that differ, with those around them; the texts differ in one place. */
export function lineChanges(path: string, before: string, after: string): readonly string[] {
  const [old, now] = [linesOf(before), linesOf(after)];
  const isSame = (at: number) => old.at(at) === now.at(at);
  const shorter = Math.min(old.length, now.length);
  let start = 0;
  while (start < shorter && isSame(start)) start += 1;
  let end = 0;
  while (end < shorter - start && isSame(-1 - end)) end += 1;
  const changed = (sign: string, lines: readonly string[]) =>
    lines.slice(start, lines.length - end).map((line) => `${sign}${line}`);
  const around = (from: number, to: number) => old.slice(Math.max(0, from), to).map((line) => ` ${line}`);
  const tail = old.length - end;
  return [
    `--- ${before === "" ? "/dev/null" : path}`,
    `+++ ${after === "" ? "/dev/null" : path}`,
    ...around(start - CONTEXT_LINES, start),
    ...changed("-", old),
    ...changed("+", now),
    ...around(tail, tail + CONTEXT_LINES),
  ];
}

const linesOf = (text: string): readonly string[] => (text === "" ? [] : text.replace(/\r?\n$/, "").split(/\r?\n/));
