/** The tab bar of an entity. */
import { lineWidth, span, type TextLine } from "../../app/theme/text-line.ts";

/** Digits open tabs; later tabs are reached with Tab. */
const MAX_NUMBERED = 9;
const GAP = "  ";
/** A tab without a number and without space for its name. */
const MORE_SIGN = "›";

/**
 * Returns the tabs in one line, the open one highlighted. Without space for all names, only tabs around the open one
 * have theirs and the others their numbers; without space for these either, `‹` and `›` replace the rest.
 */
export function tabBar(names: readonly string[], open: number, width: number): TextLine {
  const labels = names.map((name, at) => tabLabel(name, at, at === open));
  const numbers = names.map((_, at): TextLine => [span(at < MAX_NUMBERED ? `${at + 1}` : MORE_SIGN, "hotkey")]);
  let [from, to] = [open, open + 1];
  const bar = (first: number, end: number) =>
    joinLabels([...numbers.slice(0, first), ...labels.slice(first, end), ...numbers.slice(end)]);
  if (lineWidth(bar(from, to)) > width) return truncatedBar(labels, open, width);
  for (let grown = true; grown; ) {
    grown = false;
    if (to < labels.length && lineWidth(bar(from, to + 1)) <= width) [to, grown] = [to + 1, true];
    if (from > 0 && lineWidth(bar(from - 1, to)) <= width) [from, grown] = [from - 1, true];
  }
  return bar(from, to);
}

function truncatedBar(labels: readonly TextLine[], open: number, width: number): TextLine {
  let [from, to] = [open, open + 1];
  const spare = (first: number, end: number) =>
    width - (first > 0 ? 2 : 0) - (end < labels.length ? 2 : 0) - lineWidth(joinLabels(labels.slice(first, end)));
  for (let grown = true; grown; ) {
    grown = false;
    if (to < labels.length && spare(from, to + 1) >= 0) [to, grown] = [to + 1, true];
    if (from > 0 && spare(from - 1, to) >= 0) [from, grown] = [from - 1, true];
  }
  return [
    ...(from > 0 ? [span("‹ ", "hotkey")] : []),
    ...joinLabels(labels.slice(from, to)),
    ...(to < labels.length ? [span(" ›", "hotkey")] : []),
  ];
}

function tabLabel(name: string, at: number, open: boolean): TextLine {
  const number = at < MAX_NUMBERED ? `${at + 1} ` : "";
  return open ? [span(`${number}${name}`, "active")] : [span(number, "hotkey"), span(name)];
}

function joinLabels(labels: readonly TextLine[]): TextLine {
  return labels.flatMap((label, at) => (at === 0 ? label : [span(GAP), ...label]));
}

/** Returns the tab `by` further, around the ends. */
export function nextTab(count: number, open: number, by: number): number {
  return (open + by + count) % count;
}
