/** Popup that compares marked rows, or the details of their entities, side by side. */

import { Box } from "ink";
import { useMemo, useState } from "react";
import type { Json } from "../../base/index.ts";
import type { Shape } from "../../catalogue/index.ts";
import { deriveShape, ENTITIES } from "../../catalogue/schemas.ts";
import { type Cell, clip, createShortener, fitCell, pad, textWidth } from "../../output/index.ts";
import { copyText } from "../actions/copy.tsx";
import { useResource } from "../data/hooks.ts";
import { errorText } from "../data/query.ts";
import { Lines } from "../frame/lines.tsx";
import { useBody } from "../frame/popup.tsx";
import { type Explorer, useBindings, useExplorer } from "../navigation/context.ts";
import { bindAction } from "../navigation/keys/bindings.ts";
import type { Binding } from "../navigation/keys/keymap.ts";
import type { ComparedRow, PopupOf } from "../navigation/popups.ts";
import { isSameRoute, routeTitle } from "../navigation/route.ts";
import { span, type TextLine, textLine } from "../navigation/theme/text-line.ts";
import { requestForRoute } from "../pages/records.ts";
import type { MouseEvent } from "../terminal/mouse.ts";
import { formatLeaf } from "../widgets/detail/format.ts";
import { createValueTree, INITIAL_FOLDS, type ValueNode, visibleNodes } from "../widgets/detail/value-tree.ts";
import { clampIndex, type Movement, moveBindings, toLines, wheelMovement } from "../widgets/viewport.ts";

const CHROME_LINES = 3;

/** Compares rows field by field. */
export function Compare({ marked, shape }: PopupOf<"compare">) {
  const explorer = useExplorer();
  const { services, closePopup, toast } = explorer;
  const { width, height } = useBody();
  const [showDetails, setShowDetails] = useState(false);
  const [showAll, setShowAll] = useState(false);
  const [first, setFirst] = useState(0);
  const [left, setLeft] = useState(0);
  const requests = useMemo(() => marked.flatMap(({ route }) => (route && requestForRoute(route)) ?? []), [marked]);
  const canFetch = requests.length === marked.length;
  // biome-ignore lint/correctness/useHookAtTopLevel: the marked rows of a comparison do not change.
  const details = requests.map(({ endpoint, params }) => useResource(endpoint, params, showDetails));
  const titles = marked.map(({ route }, at) => `${at + 1} ${route ? routeTitle(route, explorer.data.nameOf) : "row"}`);
  const compared = marked.map(({ row }, at): ComparedObject => {
    const title = titles[at] ?? "";
    const detail = showDetails ? details[at] : undefined;
    if (!detail) return { title, value: row, shape };
    const { entity } = detail.request.endpoint.returns;
    return { title, value: detail.answer?.data, shape: deriveShape(ENTITIES[entity]) };
  });
  const rows = fieldRows(compared, { now: services.now(), timeZone: services.timeZone });
  const visible = showAll ? rows : rows.filter(({ isSame }) => !isSame);
  const available = Math.max(1, height - CHROME_LINES);
  const last = Math.max(0, visible.length - available);
  const from = Math.min(first, last);
  const layout = computeLayout(visible, marked.length, width, left);
  const move = ({ direction, distance }: Movement) =>
    setFirst((at) => clampIndex(Math.min(at, last) + direction * toLines({ distance }, available), last + 1));
  const scrollSideways = (by: number) => setLeft(() => Math.max(0, Math.min(marked.length - 1, layout.from + by)));
  const hasMore = layout.to - layout.from < marked.length;
  const text = () => toTsv(titles, visible);
  const toggleDetails = () => {
    if (areSameEntity(marked)) toast("all rows are about the same entity", "warning");
    else setShowDetails((before) => !before);
  };
  const allLabel = showAll ? "only differences" : "all fields";
  const detailsLabel = showDetails ? "row fields" : "details";
  const bindings: readonly Binding[] = [
    { keys: ["esc", "q", "D", "ctrl+c"], label: "close", group: "go", hint: 9, run: closePopup },
    { keys: ["a"], label: allLabel, group: "view", hint: 1, run: () => setShowAll((before) => !before) },
    { keys: ["f"], label: detailsLabel, group: "data", hint: 2, active: canFetch, run: toggleDetails },
    { keys: ["c"], label: "copy", group: "data", hint: 3, run: () => void copyText(explorer, "the comparison", text) },
    { keys: ["e"], label: "save", group: "data", hint: 4, run: () => void save(explorer, text()) },
    ...moveBindings(move, last > 0),
    bindAction("move.right", "scroll right", () => scrollSideways(1), { hint: 5, active: hasMore }),
    bindAction("move.left", "scroll left", () => scrollSideways(-1), { active: hasMore }),
  ];
  useBindings("overlay", bindings, { modal: true });
  const onMouse = (event: MouseEvent) => {
    const wheel = wheelMovement(event);
    if (wheel) move(wheel);
  };
  const differing = rows.filter(({ isSame }) => !isSame).length;
  const summary = showAll ? `all ${rows.length} fields` : `${differing} of ${rows.length} fields differ`;
  const view = visible.length > available ? `, ${from + 1} to ${Math.min(visible.length, from + available)} shown` : "";
  const lines: readonly TextLine[] = [
    [span(`Comparing ${showDetails ? "details" : "rows"}`, "title"), span(`  ${summary}${view}`, "note")],
    titleLine(titles, layout),
    ...(visible.length === 0 ? [textLine("No differences. a shows all fields.", "note")] : []),
    ...visible.slice(from, from + available).map((row) => rowLine(row, layout)),
  ];
  return (
    <Box position="absolute">
      <Lines lines={lines} width={width} height={height} onMouse={onMouse} />
    </Box>
  );
}

function areSameEntity(marked: readonly ComparedRow[]): boolean {
  const first = marked[0]?.route;
  return first !== undefined && marked.every(({ route }) => route && isSameRoute(route, first));
}

async function save({ services, toast }: Explorer, text: string): Promise<void> {
  try {
    const path = await services.save("comparison.tsv", chunks(text));
    toast(`Saved the comparison to ${path}`, "good");
  } catch (error) {
    toast(errorText(error), "bad");
  }
}

async function* chunks(text: string): AsyncIterable<string> {
  yield text;
}

interface ComparedObject {
  readonly title: string;
  /** Undefined while it is loading. */
  readonly value: Json | undefined;
  readonly shape: Shape;
}

interface FieldRow {
  readonly label: string;
  /** The value of each object; undefined when it lacks the field. */
  readonly cells: readonly (Cell | undefined)[];
  readonly isSame: boolean;
}

const ALL_OPEN = { ...INITIAL_FOLDS, all: true };

/** Returns the fields of all objects, in the order of their first appearance, and whether their values are equal. */
export function fieldRows(
  all: readonly ComparedObject[],
  clock: { now: number; timeZone: string | undefined },
): FieldRow[] {
  const labels = new Map<string, string>();
  const fields = all.map(({ value, shape }) => {
    const values = new Map<string, Cell>();
    if (value === undefined) return values;
    for (const node of visibleNodes(createValueTree(value, shape), ALL_OPEN)) {
      if (node.form !== "leaf") continue;
      values.set(node.id, formatLeaf(node, clock));
      if (!labels.has(node.id)) labels.set(node.id, pathLabel(node));
    }
    return values;
  });
  return [...labels].map(([id, label]) => {
    const each = fields.map((values) => values.get(id));
    return { label, cells: each, isSame: each.every((cell) => cell?.text === each[0]?.text) };
  });
}

function pathLabel({ parent, label }: ValueNode): string {
  return parent && parent.depth >= 0 ? `${pathLabel(parent)} › ${label}` : label;
}

interface CompareLayout {
  readonly label: number;
  readonly width: number;
  readonly from: number;
  readonly to: number;
}

const GAP = 2;
const MIN_COLUMN_WIDTH = 16;
const MAX_LABEL_WIDTH = 28;

/** Computes the layout: as many objects as fit legibly, from `firstColumn` on. */
export function computeLayout(
  rows: readonly FieldRow[],
  count: number,
  width: number,
  firstColumn: number,
): CompareLayout {
  const widest = Math.max(4, ...rows.map(({ label }) => textWidth(label)));
  const label = Math.min(widest, MAX_LABEL_WIDTH, Math.floor(width * 0.3));
  // One cell is reserved for the scroll mark.
  const free = width - label - 1;
  const columns = Math.max(1, Math.min(count, Math.floor(free / (MIN_COLUMN_WIDTH + GAP))));
  const from = Math.max(0, Math.min(firstColumn, count - columns));
  return { label, width: Math.max(1, Math.floor(free / columns) - GAP), from, to: from + columns };
}

/** Returns a line of the comparison; differences are highlighted. */
export function rowLine(
  { label, cells: values, isSame }: FieldRow,
  { label: labelWidth, width, from, to }: CompareLayout,
): TextLine {
  const shorten = createShortener();
  for (const cell of values) for (const id of cell?.ids ?? []) shorten(id);
  const visible = values.slice(from, to).flatMap((cell): TextLine => {
    const role = isSame ? "note" : cell === undefined ? "missing" : undefined;
    // As many digits as fit say more than a rounded number.
    const text = cell?.ids ? fitCell(cell, width, shorten) : clip(cell?.text ?? "-", width);
    return [span(" ".repeat(GAP)), span(pad(text, width), role)];
  });
  return [span(pad(clip(label, labelWidth), labelWidth), "key"), ...visible];
}

/** Returns the line of titles. */
export function titleLine(titles: readonly string[], { label, width, from, to }: CompareLayout): TextLine {
  const visible = titles
    .slice(from, to)
    .map((title) => span(`  ${pad(truncateTitle(title, width), width)}`, "heading"));
  const [before, after] = [from > 0, to < titles.length];
  return [span(pad(before ? "‹" : "", label), "hotkey"), ...visible, span(after ? "›" : "", "hotkey")];
}

/** Avoids a second ellipsis when a shortened title is truncated at its ellipsis. */
const truncateTitle = (title: string, width: number) => clip(title, width).replace(/…+$/, "…");

/** Returns the comparison as tab-separated values, untruncated. */
export function toTsv(titles: readonly string[], rows: readonly FieldRow[]): string {
  const lines = [
    ["field", ...titles],
    ...rows.map(({ label, cells: values }) => [label, ...values.map((cell) => cell?.text ?? "")]),
  ];
  return lines.map((line) => `${line.join("\t")}\n`).join("");
}
