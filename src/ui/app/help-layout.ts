/** The entries of help: filtered, arranged in columns, and the way of the cursor through them. No React here. */
import { clip, pad, textWidth } from "../../output/index.ts";
import { ACTIONS } from "../navigation/keys/actions.ts";
import { type Binding, keyLabel } from "../navigation/keys/keymap.ts";
import { menuLine } from "../navigation/pointer/menu.ts";
import { lineWidth, span, type TextLine } from "../navigation/theme/text-line.ts";

/** A key or a use of the mouse. */
export interface HelpEntry {
  readonly group: Binding["group"] | "mouse";
  readonly keys: string;
  readonly label: string;
  /** What it does in full, and the name of the action in explore.json. */
  readonly about: string;
  /** What choosing it runs; undefined for the mouse. */
  readonly binding?: Binding;
}

/** Headings of the groups, in display order. */
const GROUPS: Readonly<Record<HelpEntry["group"], string>> = {
  move: "Move",
  data: "Data",
  view: "View",
  go: "Go",
  solx: "General",
  mouse: "Mouse",
};

/** What the mouse does everywhere. */
const MOUSE: readonly (readonly [keys: string, label: string, about: string])[] = [
  ["click", "select, open", "A click selects a row, another one opens it"],
  ["heading", "sort", "A click on the heading of a column sorts by it"],
  ["hint", "press its key", "A click on a tab, crumb, link, filter or key hint uses it"],
  ["wheel", "scroll", "The wheel scrolls the pane under the pointer"],
  ["beside", "close a popup", "A click beside a popup closes it"],
  ["Shift-drag", "select text", "Shift leaves the mouse to the terminal, which selects text"],
];

/** Key lists longer than this are displayed as a range. */
const MAX_KEYS = 3;

function keysText(keys: readonly string[], unicode: boolean): string {
  const labels = keys.map((key) => keyLabel(key, unicode));
  if (labels.length <= MAX_KEYS) return labels.join(" ");
  return `${labels[0]}${unicode ? "…" : "-"}${labels.at(-1)}`;
}

/** Returns the entries for the active bindings and the mouse, in the order in which they are displayed. */
export function helpEntries(bindings: readonly Binding[], unicode: boolean): readonly HelpEntry[] {
  const keys = bindings.map((binding): HelpEntry => {
    const { name, group, label } = binding;
    const about = name === undefined ? label : `${ACTIONS[name].description} · ${name}`;
    return { group, keys: keysText(binding.keys, unicode), label, about, binding };
  });
  const mouse = MOUSE.map(([use, label, about]): HelpEntry => ({ group: "mouse", keys: use, label, about }));
  const order = Object.keys(GROUPS);
  return [...keys, ...mouse].toSorted((a, b) => order.indexOf(a.group) - order.indexOf(b.group));
}

/** Returns the entries with a text in their keys, label or description; an equal key comes first. */
export function filterHelp(entries: readonly HelpEntry[], text: string): readonly HelpEntry[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const isKey = ({ keys }: HelpEntry) => keys.split(" ").includes(text.trim());
  const matches = entries.filter(
    (entry) =>
      isKey(entry) ||
      words.every((word) =>
        `${GROUPS[entry.group]} ${entry.keys} ${entry.label} ${entry.about}`.toLowerCase().includes(word),
      ),
  );
  return matches.toSorted((a, b) => Number(isKey(b)) - Number(isKey(a)));
}

/** A cell of the layout: a heading, an entry by its index, or nothing. */
interface HelpCell {
  readonly line: TextLine;
  readonly index?: number;
}

/** Entries in columns. */
export interface HelpLayout {
  readonly columns: readonly (readonly HelpCell[])[];
  readonly columnWidth: number;
  readonly height: number;
}

const GAP = 3;
/** Cells between a key and its label. */
const KEY_GAP = 2;
/** Cells by which columns are wider than necessary where the width permits. */
const SPARE = 6;
/** Minimum width of a column, below which labels are cut instead of adding one. */
const MIN_COLUMN = 24;

/** Arranges entries under the headings of their groups in as many columns as fit, of similar height. */
export function layOutHelp(entries: readonly HelpEntry[], width: number): HelpLayout {
  const keyWidth = Math.max(0, ...entries.map(({ keys }) => textWidth(keys)));
  const natural = keyWidth + KEY_GAP + Math.max(0, ...entries.map(({ label }) => textWidth(label)));
  const count = Math.max(1, Math.floor((width + GAP) / (Math.max(MIN_COLUMN, natural) + GAP)));
  const columnWidth = Math.min(natural + SPARE, Math.floor((width + GAP) / count) - GAP);
  const sections = (Object.keys(GROUPS) as HelpEntry["group"][]).flatMap((group) => {
    const members = entries.map((entry, index) => ({ entry, index })).filter(({ entry }) => entry.group === group);
    if (members.length === 0) return [];
    const heading: HelpCell = { line: [span(GROUPS[group], "heading")] };
    const cells = members.map(({ entry, index }): HelpCell => {
      const label = clip(entry.label, Math.max(1, columnWidth - keyWidth - KEY_GAP));
      return { line: [span(pad(entry.keys, keyWidth + KEY_GAP), "hotkey"), span(label)], index };
    });
    return [[heading, ...cells]];
  });
  const columns = distribute(sections, count);
  return { columns, columnWidth, height: Math.max(0, ...columns.map(({ length }) => length)) };
}

/** Distributes sections in order to at most `count` columns of minimal height; no section is split. */
function distribute(sections: readonly (readonly HelpCell[])[], count: number): readonly (readonly HelpCell[])[] {
  const all = sections.reduce((sum, { length }) => sum + length + 1, 0);
  for (let height = Math.ceil(all / count); ; height += 1) {
    const columns: HelpCell[][] = [];
    for (const section of sections) {
      const column = columns.at(-1);
      if (column && column.length + 1 + section.length <= height) column.push({ line: [] }, ...section);
      else columns.push([...section]);
    }
    if (columns.length <= count) return columns;
  }
}

/** Returns the lines of a layout, the selected entry highlighted; each entry has its index as `hit`. */
export function helpLines({ columns, columnWidth, height }: HelpLayout, selected: number): readonly TextLine[] {
  return Array.from({ length: height }, (_, row) =>
    columns.flatMap((column, at): TextLine => {
      const { line, index } = column[row] ?? { line: [] };
      const space = span(" ".repeat(Math.max(0, columnWidth - lineWidth(line))));
      const cells = index === undefined ? [...line, space] : menuLine([...line, space], index, index === selected);
      return at === columns.length - 1 ? cells : [...cells, span(" ".repeat(GAP))];
    }),
  );
}

/** Returns where an entry is. */
export function positionOf(
  { columns }: HelpLayout,
  selected: number,
): { readonly column: number; readonly row: number } {
  const column = Math.max(
    0,
    columns.findIndex((cells) => cells.some(({ index }) => index === selected)),
  );
  const row = columns[column]?.findIndex(({ index }) => index === selected) ?? 0;
  return { column, row: Math.max(0, row) };
}

/** A movement of the cursor. */
interface HelpMovement {
  readonly rows?: number;
  readonly columns?: number;
  /** Lines, of which headings are some; used by pages, which would skip entries otherwise. */
  readonly lines?: number;
}

/** Returns the entry after moving: by rows through all columns, by columns to the nearest entry there. */
export function moveInHelp(
  layout: HelpLayout,
  selected: number,
  { rows = 0, columns = 0, lines = 0 }: HelpMovement,
): number {
  const indices = (cells: readonly HelpCell[]) => cells.flatMap(({ index }) => (index === undefined ? [] : [index]));
  if (lines !== 0) {
    const at = positionOf(layout, selected);
    const cells = layout.columns[at.column] ?? [];
    const passed =
      lines > 0 ? cells.slice(at.row + 1, at.row + 1 + lines) : cells.slice(Math.max(0, at.row + lines), at.row);
    const reached = lines > 0 ? indices(passed).at(-1) : indices(passed)[0];
    return reached ?? moveInHelp(layout, selected, { rows: Math.sign(lines) });
  }
  if (columns === 0) {
    const all = layout.columns.flatMap(indices);
    return all[Math.max(0, Math.min(all.length - 1, all.indexOf(selected) + rows))] ?? selected;
  }
  const { column, row } = positionOf(layout, selected);
  const cells = layout.columns[Math.max(0, Math.min(layout.columns.length - 1, column + columns))] ?? [];
  const distance = (index: number) => Math.abs(cells.findIndex((cell) => cell.index === index) - row);
  return indices(cells).toSorted((a, b) => distance(a) - distance(b))[0] ?? selected;
}
