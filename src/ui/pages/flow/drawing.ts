/** Draws a flow tree: names in columns left and right of the wallet, and lines with amounts between them. */
import { clip, pad, textWidth } from "../../../output/index.ts";
import type { Size } from "../../navigation/context.ts";
import { lineWidth, type Role, type Span, span, type TextLine } from "../../navigation/theme/text-line.ts";
import { scrollLine } from "../../widgets/tree/rows.ts";
import { BOX_MARGIN, type FlowLayout, type PlacedNode } from "./layout.ts";
import type { EdgeForm, FlowTexts } from "./texts.ts";
import { type FlowNode, parentPath } from "./tree.ts";

/** What is drawn. */
export interface FlowDrawing {
  readonly layout: FlowLayout;
  readonly texts: FlowTexts;
  /** The name of the wallet in the middle. */
  readonly start: Span;
  /** The path of the selected node; empty for the wallet in the middle. */
  readonly selected: string;
  /** Whether there is a row below each node, for what its edge says beside the most important. */
  readonly hasNotes: boolean;
  readonly unicode: boolean;
}

/** What edges say and how long names are, the most first. */
const ATTEMPTS: readonly (readonly [form: EdgeForm, names: number])[] = [
  ["full", 32],
  ["full", 22],
  ["dated", 32],
  ["dated", 22],
  ["amount", 32],
  ["amount", 20],
  ["value", 16],
  ["value", 9],
];
/** The one for a graph that is wider than its window: in a wide and in a narrow one. */
const SCROLLED = { wide: ["amount", 20], narrow: ["value", 9], minWide: 100 } as const;
/** Cells by which edges are longer at most, where there is space. */
const MAX_STRETCH = 8;
const SIGN = 2;
const BAR = 1;
/** Around the text of an edge: `─ 5 SOL ▶ ` and ` ─ 5 SOL ─`. */
const EDGE_SPACE = 5;
/** After a name whose own flows are shown: ` ─`; before it: `▶ `. */
const JOINT = 2;

/** Characters of lines, by what they join: up, down, left, right. */
const LINES: Readonly<Record<string, string>> = {
  ...{ LR: "─", L: "─", R: "─", UD: "│", U: "│", D: "│", DR: "╭", DL: "╮", UR: "╰", UL: "╯" },
  ...{ UDR: "├", UDL: "┤", DLR: "┬", ULR: "┴", UDLR: "┼" },
};
/** The same in ASCII, where they are not corners and crossings. */
const ASCII_LINES: Readonly<Record<string, string>> = { LR: "-", L: "-", R: "-", UD: "|", U: "|", D: "|" };

interface Column {
  /** Where it starts, and its parts from the wallet outwards: the edges, the names, and the joints of open ones. */
  readonly x: number;
  readonly edges: number;
  readonly names: number;
  readonly joints: number;
}

interface Plan {
  readonly form: EdgeForm;
  readonly columns: ReadonlyMap<number, Column>;
  readonly box: { readonly x: number; readonly width: number };
  readonly width: number;
}

interface Segment {
  readonly row: number;
  readonly x: number;
  readonly spans: TextLine;
}

/** Returns the lines of a graph in a window around the selected node. */
export function drawFlow(drawing: FlowDrawing, { width, height }: Size): readonly TextLine[] {
  const { layout, selected } = drawing;
  const plan = choosePlan(drawing, width);
  const rows = segmentsByRow(drawing, plan);
  const at = layout.nodes.find(({ node }) => node.path === selected);
  const column = plan.columns.get(at?.column ?? 0);
  const middle = column ? column.x + columnWidth(column) / 2 : plan.box.x + plan.box.width / 2;
  const left = windowStart(plan.width, width, middle);
  const top = windowStart(layout.height, height, (at?.row ?? layout.row) + 0.5);
  return Array.from({ length: height }, (_, line): TextLine => {
    const row = joinSegments(rows.get(line + top) ?? []);
    return left < 0 ? [span(" ".repeat(-left)), ...row] : scrollLine(row, left);
  });
}

/** Returns where a window starts: everything is centred where it fits, and `middle` is visible where it does not. */
function windowStart(length: number, size: number, middle: number): number {
  if (length <= size) return -Math.floor((size - length) / 2);
  return Math.max(0, Math.min(length - size, Math.round(middle - size / 2)));
}

const columnWidth = ({ edges, names, joints }: Column): number => edges + names + joints;

/** Returns the first plan that fits, with its edges as long as the width permits. */
function choosePlan(drawing: FlowDrawing, width: number): Plan {
  const { wide, narrow, minWide } = SCROLLED;
  const scrolled = width < minWide ? narrow : wide;
  for (const attempt of ATTEMPTS) {
    const plan = makePlan(drawing, attempt, 0);
    if (plan.width > width) continue;
    const stretch = Math.floor((width - plan.width) / Math.max(1, plan.columns.size));
    return makePlan(drawing, attempt, Math.min(MAX_STRETCH, stretch));
  }
  return makePlan(drawing, scrolled, 0);
}

function makePlan(drawing: FlowDrawing, [form, maxNames]: (typeof ATTEMPTS)[number], stretch: number): Plan {
  const { layout, texts, start } = drawing;
  const numbers = [...new Set(layout.nodes.map(({ column }) => column))].toSorted((a, b) => a - b);
  const columns = new Map<number, Column>();
  const boxWidth = Math.min(maxNames, textWidth(start.text)) + 4;
  let x = 0;
  let box = { x: 0, width: boxWidth };
  const addBox = () => {
    // The arrow into the box, and the line out of it.
    const before = numbers.some((one) => one < 0) ? 1 : 0;
    box = { x: x + before, width: boxWidth };
    x += before + boxWidth + (numbers.some((one) => one > 0) ? 1 : 0);
  };
  for (const number of numbers) {
    if (number === 1) addBox();
    const nodes = layout.nodes.filter(({ column }) => column === number).map(({ node }) => node);
    const labels = Math.max(...nodes.map((node) => Math.max(...edgeTexts(drawing, node, form).map(textWidth))));
    const names = Math.max(...nodes.map((node) => Math.min(maxNames, textWidth(texts.nodeSpan(node).text))));
    const joints = nodes.some(({ children }) => children.length > 0) ? JOINT : 0;
    columns.set(number, { x, edges: BAR + labels + EDGE_SPACE + stretch, names: SIGN + names, joints });
    x += columnWidth(columns.get(number) as Column);
  }
  if (!numbers.some((one) => one > 0)) addBox();
  return { form, columns, box, width: x };
}

/** Returns the texts of an edge; in one where there is no row for notes. */
function edgeTexts({ texts, hasNotes }: FlowDrawing, node: FlowNode, form: EdgeForm): readonly string[] {
  const [label, note] = texts.edgeTexts(node, form);
  if (hasNotes) return [label, note];
  return [form === "full" || form === "dated" ? [label, note].filter(Boolean).join(" · ") : label];
}

/** Returns the parts of each row. */
function segmentsByRow(drawing: FlowDrawing, plan: Plan): ReadonlyMap<number, readonly Segment[]> {
  const { layout } = drawing;
  const families = Map.groupBy(layout.nodes, ({ node: { path, direction, depth } }) =>
    depth > 1 ? parentPath({ path, depth }) : direction,
  );
  const all = [
    ...boxLines(drawing, plan).map((spans, at) => ({ row: layout.row + at - BOX_MARGIN, x: plan.box.x, spans })),
    ...layout.nodes.flatMap((place) => nodeSegments(drawing, plan, place)),
    ...[...families.values()].flatMap((family) => barSegments(drawing, plan, family)),
  ];
  return Map.groupBy(all, ({ row }) => row);
}

/** Returns the line that joins nodes with the one before them. */
function barSegments(
  { layout, selected, unicode }: FlowDrawing,
  plan: Plan,
  family: readonly PlacedNode[],
): readonly Segment[] {
  const [first] = family as readonly [PlacedNode];
  const isIn = first.column < 0;
  const parent = layout.nodes.find(({ node }) => node.path === parentPath(first.node));
  const column = plan.columns.get(first.column) as Column;
  const x = isIn ? column.x + columnWidth(column) - BAR : column.x;
  const row = parent?.row ?? layout.row;
  const rows = new Set(family.map((one) => one.row));
  const [top, bottom] = [Math.min(row, ...rows), Math.max(row, ...rows)];
  const role: Role = family.some(({ node }) => node.path === selected) ? "focus" : "frame";
  const bar = Array.from({ length: bottom - top + 1 }, (_, offset): Segment => {
    const at = top + offset;
    const [inside, outside] = isIn ? ["R", "L"] : ["L", "R"];
    const sides = [at === row ? inside : "", rows.has(at) ? outside : ""].toSorted();
    const joins = [at > top ? "U" : "", at < bottom ? "D" : "", ...sides].join("");
    return { row: at, x, spans: [span(lineSign(joins, unicode), role)] };
  });
  if (parent) return bar;
  const end = isIn ? span(arrow(unicode), role) : span(lineSign("LR", unicode), role);
  return [...bar, { row, x: isIn ? x + BAR : x - 1, spans: [end] }];
}

const lineSign = (joins: string, unicode: boolean): string =>
  unicode ? (LINES[joins] ?? " ") : (ASCII_LINES[joins] ?? "+");
const arrow = (unicode: boolean): string => (unicode ? "▶" : ">");

/** Returns the box with the name of the wallet. */
function boxLines({ start, selected, unicode }: FlowDrawing, { box }: Plan): readonly TextLine[] {
  const role: Role = selected === "" ? "focus" : "frame";
  const line = lineSign("LR", unicode).repeat(box.width - 2);
  const side = span(lineSign("UD", unicode), role);
  const name: Span = { ...start, text: ` ${pad(clip(start.text, box.width - 4), box.width - 4)} `, hit: "" };
  return [
    [span(lineSign("DR", unicode) + line + lineSign("DL", unicode), role)],
    [side, selected === "" ? { ...name, cursor: "cell" } : name, side],
    [span(lineSign("UR", unicode) + line + lineSign("UL", unicode), role)],
  ];
}

/** Returns a node with its edge: `─ 5 SOL ──▶ ▸ Alice ─`, or `▶ ◂ Alice ── 5 SOL ─` on the left; a note below it. */
function nodeSegments(
  drawing: FlowDrawing,
  { form, columns }: Plan,
  { node, column, row }: PlacedNode,
): readonly Segment[] {
  const { texts, selected, unicode } = drawing;
  const { x, edges, names, joints } = columns.get(column) as Column;
  const isSelected = node.path === selected;
  const role: Role = isSelected ? "focus" : "frame";
  const isParent = node.children.length > 0;
  const line = (count: number) => span(lineSign("LR", unicode).repeat(Math.max(0, count)), role);
  const mark = (one: Span, cursor: "row" | "cell"): Span => ({
    ...one,
    hit: node.path,
    ...(isSelected && { cursor }),
  });
  const [sign, text] = [texts.signOf(node), texts.nodeSpan(node)];
  const shown = clip(text.text, names - SIGN);
  const rest = names - SIGN - textWidth(shown);
  const name = [mark({ ...sign, text: `${sign.text} ` }, "cell"), mark({ ...text, text: shown }, "cell")];
  const [label = "", note = ""] = edgeTexts(drawing, node, form);
  const labelSpan = mark(span(` ${label} `), "row");
  const free = edges - BAR - textWidth(label) - EDGE_SPACE;
  const noteSpans = [mark(span(note, "note"), "row")];
  if (column > 0) {
    const end = isParent ? [span(" "), line(rest + joints - 1)] : [];
    const spans = [line(1), labelSpan, line(free), span(`${arrow(unicode)} `, role), ...name, ...end];
    return [
      { row, x: x + BAR, spans },
      { row: row + 1, x: x + BAR + 2, spans: noteSpans },
    ];
  }
  const start = joints === 0 ? "" : isParent ? `${arrow(unicode)} ` : " ".repeat(joints);
  const spans = [span(start, "frame"), ...name, span(" "), line(rest + free + 1), labelSpan, line(1)];
  const end = x + edges + names + joints - BAR - 2;
  return [
    { row, x, spans },
    { row: row + 1, x: end - textWidth(note), spans: noteSpans },
  ];
}

/** Joins the parts of a row, with spaces between them. */
function joinSegments(segments: readonly Segment[]): TextLine {
  let end = 0;
  return segments
    .toSorted((a, b) => a.x - b.x)
    .flatMap(({ x, spans }) => {
      const gap = span(" ".repeat(Math.max(0, x - end)));
      end = Math.max(end, x) + lineWidth(spans);
      return [gap, ...spans];
    });
}
