/** The header of an entity as lines: facts about it, and its tabs. */
import { lineWidth, type Span, span, type TextLine } from "../../navigation/theme/text-line.ts";

/** A fact about an entity, such as its fee. */
export interface Fact {
  readonly label: string;
  readonly value: TextLine;
  /** Whether it is on a separate line above the others. */
  readonly onOwnLine?: boolean | undefined;
}

/** Returns the maximum number of lines of a summary in a region. */
export function summaryHeight(height: number): number {
  return Math.max(1, Math.min(5, Math.floor((height - 5) / 3)));
}

/** Cells between two columns of facts. */
const GAP = 3;

/**
 * Lays out facts in columns on as few lines as the width permits, row by row. When columns take more lines than facts that
 * follow each other, or more than `maxLines`, there are no columns; the last facts are omitted where lines are short.
 */
export function summaryLines(facts: readonly Fact[], width: number, maxLines: number): readonly TextLine[] {
  const present = facts.filter(({ value }) => lineWidth(value) > 0);
  const first = present.filter(({ onOwnLine }) => onOwnLine).slice(0, Math.max(0, maxLines));
  const above = first.map(({ label, value }) => [span(`${label} `, "key"), ...value]);
  const others = present.filter(({ onOwnLine }) => !onOwnLine);
  return [...above, ...gridLines(others, width, maxLines - above.length)];
}

function gridLines(present: readonly Fact[], width: number, maxLines: number): readonly TextLine[] {
  if (present.length === 0 || maxLines < 1) return [];
  const flow = flowLines(present, width);
  for (let count = 1; count <= Math.min(maxLines, flow.length); count += 1) {
    const table = factGrid(present, Math.ceil(present.length / count));
    if (table.width <= width) return table.lines;
  }
  return flow.slice(0, maxLines);
}

/** Lays out facts one after the other, for widths where columns take too much space. */
function flowLines(facts: readonly Fact[], width: number): readonly TextLine[] {
  const lines: TextLine[] = [];
  for (const { label, value } of facts) {
    const fact = [span(`${label} `, "key"), ...value];
    const last = lines.at(-1);
    if (last && lineWidth(last) + GAP + lineWidth(fact) <= width)
      lines[lines.length - 1] = [...last, span(" ".repeat(GAP)), ...fact];
    else lines.push(fact);
  }
  return lines;
}

interface FactGrid {
  readonly lines: readonly TextLine[];
  readonly width: number;
}

/** Lays out facts in a number of columns, each as wide as its widest label and value. */
function factGrid(facts: readonly Fact[], columns: number): FactGrid {
  const rows = Array.from({ length: Math.ceil(facts.length / columns) }, (_, at) =>
    facts.slice(at * columns, (at + 1) * columns),
  );
  const widest = (of: (fact: Fact) => number) =>
    Array.from({ length: columns }, (_, at) => Math.max(0, ...rows.map((row) => (row[at] ? of(row[at]) : 0))));
  const labels = widest(({ label }) => lineWidth([span(label)]));
  const values = widest(({ value }) => lineWidth(value));
  const lines = rows.map((row) =>
    row.flatMap(({ label, value }, at) => {
      const last = at === row.length - 1;
      const after = last ? 0 : (values[at] ?? 0) - lineWidth(value) + GAP;
      return [span(label.padEnd((labels[at] ?? 0) + 1), "key"), ...value, span(" ".repeat(after))];
    }),
  );
  return { lines, width: Math.max(...lines.map(lineWidth)) };
}

/** Digits open tabs; later tabs are reached with Tab. */
const MAX_NUMBERED = 9;
const TAB_GAP = span("  ");

/**
 * Returns the tabs in one line, with their indices as `hit` and the open one highlighted. Without space for all names, it
 * has those around the open one, and how many there are before and after them.
 * @param key the label of the key for the next tab
 */
export function tabBar(names: readonly string[], open: number, width: number, key = "Tab"): TextLine {
  const labels = names.map((name, at) => tabLabel(name, at, at === open));
  const all = joinLabels(labels);
  return lineWidth(all) <= width ? all : scrolledTabs(labels, open, width, key);
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
  return labels.flatMap((label, at) => (at === 0 ? label : [TAB_GAP, ...label]));
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
