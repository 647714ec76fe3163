/** The bar of tabs of a thing. */
import { lineWidth, span, type TextLine } from "../../app/theme/text-line.ts";

/** Digits open tabs; later ones are reached with Tab. */
const NUMBERED = 9;
const GAP = "  ";
/** A tab without a number, where there is no room for its name. */
const MORE = "›";

/**
 * The tabs in one line, the open one marked. Where the width does not hold all their names, those around the open one
 * have theirs and the others their numbers; where it does not hold these either, `‹` and `›` stand for the rest.
 */
export function tabBar(names: readonly string[], open: number, width: number): TextLine {
  const labels = names.map((name, at) => labelOf(name, at, at === open));
  const bare = names.map((_, at): TextLine => [span(at < NUMBERED ? `${at + 1}` : MORE, "hotkey")]);
  let [from, to] = [open, open + 1];
  const bar = (first: number, end: number) =>
    joined([...bare.slice(0, first), ...labels.slice(first, end), ...bare.slice(end)]);
  if (lineWidth(bar(from, to)) > width) return cutBar(labels, open, width);
  for (let grown = true; grown; ) {
    grown = false;
    if (to < labels.length && lineWidth(bar(from, to + 1)) <= width) [to, grown] = [to + 1, true];
    if (from > 0 && lineWidth(bar(from - 1, to)) <= width) [from, grown] = [from - 1, true];
  }
  return bar(from, to);
}

function cutBar(labels: readonly TextLine[], open: number, width: number): TextLine {
  let [from, to] = [open, open + 1];
  const room = (first: number, end: number) =>
    width - (first > 0 ? 2 : 0) - (end < labels.length ? 2 : 0) - lineWidth(joined(labels.slice(first, end)));
  for (let grown = true; grown; ) {
    grown = false;
    if (to < labels.length && room(from, to + 1) >= 0) [to, grown] = [to + 1, true];
    if (from > 0 && room(from - 1, to) >= 0) [from, grown] = [from - 1, true];
  }
  return [
    ...(from > 0 ? [span("‹ ", "hotkey")] : []),
    ...joined(labels.slice(from, to)),
    ...(to < labels.length ? [span(" ›", "hotkey")] : []),
  ];
}

function labelOf(name: string, at: number, open: boolean): TextLine {
  const number = at < NUMBERED ? `${at + 1} ` : "";
  return open ? [span(`${number}${name}`, "active")] : [span(number, "hotkey"), span(name)];
}

function joined(labels: readonly TextLine[]): TextLine {
  return labels.flatMap((label, at) => (at === 0 ? label : [span(GAP), ...label]));
}

/** The tab that is `by` further, around the ends. */
export function tabAfter(count: number, open: number, by: number): number {
  return (open + by + count) % count;
}
