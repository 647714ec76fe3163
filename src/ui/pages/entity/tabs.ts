/** The tabs of an entity as lines. */
import { lineWidth, type Span, span, type TextLine } from "../../navigation/theme/text-line.ts";

/** Digits open tabs; later tabs are reached with Tab. */
const MAX_NUMBERED = 9;
const GAP = "  ";

/**
 * Returns the tabs in at most `maxLines` lines, with their indices as `hit` and the open one highlighted. Without space
 * for all names, one line has the tabs around the open one, and how many there are before and after them.
 * @param key the label of the key for the next tab
 */
export function tabLines(
  names: readonly string[],
  open: number,
  width: number,
  maxLines = 1,
  key = "Tab",
): readonly TextLine[] {
  const labels = names.map((name, at) => tabLabel(name, at, at === open));
  const lines: TextLine[][] = [];
  for (const label of labels) {
    const last = lines.at(-1);
    if (last && lineWidth(joinLabels([...last, label])) <= width) last.push(label);
    else lines.push([label]);
  }
  const fits = lines.length <= maxLines && lines.every((line) => lineWidth(joinLabels(line)) <= width);
  return fits ? lines.map(joinLabels) : [scrolledTabs(labels, open, width, key)];
}

/** Returns the tabs in one line. */
export function tabBar(names: readonly string[], open: number, width: number, key?: string): TextLine {
  return tabLines(names, open, width, 1, key)[0] ?? [];
}

/** Returns the tabs around the open one, and how many there are before and after them. */
function scrolledTabs(labels: readonly TextLine[], open: number, width: number, key: string): TextLine {
  let [from, to] = [open, open + 1];
  const bar = (first: number, end: number): TextLine => {
    const after = labels.length - end;
    return [
      ...(first > 0 ? [{ ...span(`+${first} … `, "note"), hit: first - 1 }] : []),
      ...joinLabels(labels.slice(first, end)),
      ...(after > 0 ? [{ ...span(` … +${after}`, "note"), hit: end }] : []),
      ...(after > 0 && key !== "" ? [span(` ${key}`, "hotkey")] : []),
    ];
  };
  if (lineWidth(bar(from, to)) > width)
    return key === "" ? (labels[open] ?? []) : scrolledTabs(labels, open, width, "");
  for (let grown = true; grown; ) {
    grown = false;
    if (to < labels.length && lineWidth(bar(from, to + 1)) <= width) [to, grown] = [to + 1, true];
    if (from > 0 && lineWidth(bar(from - 1, to)) <= width) [from, grown] = [from - 1, true];
  }
  return bar(from, to);
}

function tabLabel(name: string, at: number, isOpen: boolean): TextLine {
  const number = at < MAX_NUMBERED ? `${at + 1} ` : "";
  const label: TextLine = isOpen ? [span(`${number}${name}`, "active")] : [span(number, "hotkey"), span(name)];
  return label.map((one): Span => ({ ...one, hit: at }));
}

function joinLabels(labels: readonly TextLine[]): TextLine {
  return labels.flatMap((label, at) => (at === 0 ? label : [span(GAP), ...label]));
}

/** Returns the rule below a line of tabs, which is heavy below the open one. */
export function tabRule(tabs: TextLine, width: number, unicode: boolean): TextLine {
  const [light, heavy] = unicode ? ["─", "━"] : ["-", "="];
  const at = tabs.findIndex(({ role }) => role === "active");
  const from = at < 0 ? 0 : lineWidth(tabs.slice(0, at));
  const size = at < 0 ? 0 : Math.min(width - from, lineWidth(tabs.slice(at, at + 1)));
  return [
    span(light.repeat(from), "frame"),
    span(heavy.repeat(size), "focus"),
    span(light.repeat(Math.max(0, width - from - size)), "frame"),
  ];
}

/** Returns the tab `by` further, around the ends. */
export function nextTab(count: number, open: number, by: number): number {
  return (open + by + count) % count;
}
