/** Help: a popup that lists the keys that were active when it was opened; typing filters them, Enter runs one. */

import { useMemo, useState } from "react";
import { clip, pad, textWidth } from "../../output/index.ts";
import { Popup, popupSpace, useBody } from "../frame/popup.tsx";
import { useExplorer, usePopupBindings } from "../navigation/context.ts";
import { ACTIONS } from "../navigation/keys/actions.ts";
import { type Binding, keyLabel } from "../navigation/keys/keymap.ts";
import { menuLine, menuMouse } from "../navigation/pointer/pointer.ts";
import { lineWidth, span, type TextLine } from "../navigation/theme/text-line.ts";
import { EDIT_KEYS, editField, fieldLine, insertText, textField } from "../widgets/text-field.ts";
import { scrollTop } from "../widgets/viewport.ts";

interface HelpEntry {
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

interface HelpCell {
  readonly line: TextLine;
  readonly index?: number;
}

interface HelpLayout {
  readonly columns: readonly (readonly HelpCell[])[];
  readonly columnWidth: number;
  readonly height: number;
}

const GAP = 3;
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

function positionOf({ columns }: HelpLayout, selected: number): { readonly column: number; readonly row: number } {
  const column = Math.max(
    0,
    columns.findIndex((cells) => cells.some(({ index }) => index === selected)),
  );
  const row = columns[column]?.findIndex(({ index }) => index === selected) ?? 0;
  return { column, row: Math.max(0, row) };
}

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

const CHROME_LINES = 4;

/** Minimum width: descriptions below the entries are sentences. */
const MIN_WIDTH = 64;

/** The popup. */
export function Help() {
  const { services, keys, closePopup } = useExplorer();
  const [bindings] = useState(() => keys.active());
  const space = popupSpace(useBody());
  const [{ field, selected, top }, setState] = useState({ field: textField(), selected: 0, top: 0 });
  const all = useMemo(() => helpEntries(bindings, services.unicode), [bindings, services]);
  const entries = useMemo(() => filterHelp(all, field.text), [all, field.text]);
  const whole = useMemo(() => layOutHelp(all, space.width), [all, space.width]);
  const layout = useMemo(() => layOutHelp(entries, space.width), [entries, space.width]);
  const height = Math.max(1, Math.min(whole.height, space.height - CHROME_LINES));
  const entry = entries[selected];
  // The heading of the first entry is visible with it.
  const { row } = positionOf(layout, selected);
  const from = scrollTop({ count: layout.height }, height, top, row <= 1 ? 0 : row);

  const select = (index: number) => setState((before) => ({ ...before, selected: index, top: from }));
  const move = (by: Parameters<typeof moveInHelp>[2]) => select(moveInHelp(layout, selected, by));
  const edit = (change: (before: typeof field) => typeof field) =>
    setState((before) => ({ field: change(before.field), selected: 0, top: 0 }));
  const run = (index: number) => {
    const { binding } = entries[index] ?? {};
    if (!binding) return;
    closePopup();
    binding.run(binding.keys[0] ?? "");
  };
  const isFiltered = field.text !== "";
  usePopupBindings(
    [
      { keys: ["enter"], label: "run", hint: 1, active: entry?.binding !== undefined, run: () => run(selected) },
      { keys: ["down"], label: "next", hint: 2, run: () => move({ rows: 1 }) },
      { keys: ["up"], label: "previous", hint: 3, run: () => move({ rows: -1 }) },
      { keys: ["right"], label: "next column", hint: 4, run: () => move({ columns: 1 }) },
      { keys: ["left"], label: "previous column", run: () => move({ columns: -1 }) },
      { keys: ["pagedown"], label: "page down", run: () => move({ lines: height - 1 }) },
      { keys: ["pageup"], label: "page up", run: () => move({ lines: 1 - height }) },
      { keys: ["esc"], label: "clear", hint: 5, active: isFiltered, run: () => edit(() => textField()) },
      { keys: ["esc", "?", "ctrl+c"], label: "close", hint: 6, run: closePopup },
      { keys: EDIT_KEYS, label: "edit the filter", run: (key) => edit((one) => editField(one, key)) },
    ],
    { onText: (text) => edit((one) => insertText(one, text)) },
  );
  const onMouse = menuMouse(
    (by) => move({ rows: by }),
    (index) => (index === selected ? run(index) : select(index)),
  );
  const filter: TextLine = [
    span("filter ", "key"),
    ...fieldLine(field, Math.max(8, space.width - 30), true),
    ...(isFiltered ? [] : [span(" type a word or a key", "missing")]),
  ];
  const visible = helpLines(layout, selected).slice(from, from + height);
  const body = visible.length > 0 ? visible : [[span("No key matches.", "note")]];
  // The size stays while the filter changes.
  const filler = Array.from({ length: height - body.length }, (): TextLine => []);
  return (
    <Popup
      title="Keys"
      width={Math.max(MIN_WIDTH, ...helpLines(whole, -1).map(lineWidth))}
      lines={[filter, [], ...body, ...filler, [], [span(entry?.about ?? "", "note")]]}
      footer={height < layout.height ? `${from + 1}-${from + height} of ${layout.height} lines` : undefined}
      onMouse={onMouse}
    />
  );
}
