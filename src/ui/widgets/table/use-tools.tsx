/** The keys of a short list with tools, and what it remembers. */
import { useMemo } from "react";
import type { JsonObject } from "../../../base/json.ts";
import { createShortener } from "../../../output/text/shorten.ts";
import { type Size, useExplorer, useViewState } from "../../app/context.ts";
import { type ActionName, actionBinding } from "../../app/keys/actions.ts";
import { keyLabelsOf } from "../../app/keys/key-hints.ts";
import type { Binding } from "../../app/keys/keymap.ts";
import type { Route } from "../../app/route.ts";
import type { TextLine } from "../../app/theme/text-line.ts";
import { Compare, MAX_COMPARED } from "../../compare/compare-popup.tsx";
import { clockOf } from "../cells.ts";
import { filterLine, useFilterInput } from "../filter-input.ts";
import { joinPreview, layOutPreview, type PreviewLayout, previewLines, previewTitle } from "../list/preview.ts";
import type { TableColumn } from "./layout.ts";
import {
  headed,
  inOrder,
  leftOf,
  MARK_WIDTH,
  markedRows,
  markToggled,
  NO_TOOLS_USED,
  orderWords,
  sortable,
  sortedNext,
  type ToolRows,
  withMark,
} from "./tools.ts";

/** Lines that a preview leaves to the rows at least, with their headings. */
const LEAST_ROWS = 4;

/** The rows of a list in their order, its columns, and what its tools need to draw and to obey. */
export function useTools(
  part: string,
  all: readonly JsonObject[],
  own: readonly TableColumn[],
  tools: ToolRows | undefined,
) {
  const { services } = useExplorer();
  const { unicode } = services;
  const [state, set] = useViewState(`${part} tools`, NO_TOOLS_USED);
  const rows = useMemo(() => (tools ? inOrder(all, state, tools.shape) : all), [all, state, tools]);
  const columns = useMemo(() => (tools ? headed(own, state, unicode) : own), [own, state, tools, unicode]);
  const marked = useMemo(() => (tools ? markedRows(state, all, tools.idOf) : []), [state, all, tools]);
  return { state, set, rows, columns, own, tools, marked, words: tools ? orderWords(state, own) : [] };
}

/** What {@link useTools} gives. */
export type Toolbox = ReturnType<typeof useTools>;

/** What keys are pressed in. */
interface Scene {
  readonly row: JsonObject | undefined;
  readonly active: boolean;
  /** Columns that are on view. */
  readonly columns: number;
  readonly down: () => void;
  readonly target: (row: JsonObject) => Route | undefined;
}

/** The keys of the tools; none where there are none. */
export function useToolKeys({ state, set, own, rows, tools, marked }: Toolbox, scene: Scene): readonly Binding[] {
  const { setOverlay, toast } = useExplorer();
  if (!tools) return [];
  const { row } = scene;
  const most = sortable(own.slice(0, scene.columns)).length - 1;
  const active = scene.active && rows.length > 0;
  const key = (name: ActionName, label: string, run: () => void, more: Partial<Binding> = {}): Binding => ({
    ...actionBinding(name),
    label,
    group: "view",
    active,
    run,
    ...more,
  });
  const side = (by: number) => () =>
    set((now) => ({ ...now, column: Math.max(0, Math.min(most, Math.min(now.column, most) + by)) }));
  const mark = () => {
    if (!row) return;
    set((now) => markToggled(now, row, tools.idOf));
    scene.down();
  };
  const compare = () => {
    const few = marked.slice(0, MAX_COMPARED).map((one) => ({ row: one, route: scene.target(one as JsonObject) }));
    setOverlay(<Compare marked={few} shape={tools.shape} />);
    if (marked.length > MAX_COMPARED)
      toast(`${marked.length} rows are marked: the first ${MAX_COMPARED} are compared.`, "warning");
  };
  return [
    key("move.left", "column before", side(-1), { group: "move" }),
    key("move.right", "next column", side(1), { group: "move" }),
    key("list.sort", "sort", () => set((now) => ({ ...now, sort: sortedNext(now, own, rows) })), { hint: 26 }),
    key("list.mark", "mark", mark, { hint: 44 }),
    key("list.compare", "compare", compare, { hint: 12, active: active && marked.length > 1 }),
    key(
      "list.preview",
      state.hasPreview ? "close preview" : "preview",
      () => set((now) => ({ ...now, hasPreview: !now.hasPreview })),
      { hint: 42 },
    ),
  ];
}

/** Where rows and preview are in a region, and how they are drawn in it. */
export function useToolPlace({ state, tools }: Toolbox, size: Size) {
  const explorer = useExplorer();
  const { services } = explorer;
  if (!tools) return { size, width: size.width, draw: (lines: readonly TextLine[]) => lines };
  const shared = state.hasPreview ? layOutPreview(size) : undefined;
  const place: PreviewLayout | undefined = shared && shared.list.height >= LEAST_ROWS ? shared : undefined;
  const list = place?.list ?? size;
  /** Rows with their marks, the headings first, and the preview of the row of the cursor. */
  const draw = (
    lines: readonly TextLine[],
    shown: readonly JsonObject[],
    row: JsonObject | undefined,
  ): readonly TextLine[] => {
    const isMarked = (one: JsonObject | undefined) => one !== undefined && state.marks.has(tools.idOf(one));
    const all = lines.map((one, at) => withMark(one, at > 0 && isMarked(shown[at - 1]), services.unicode));
    if (!place) return all;
    const { side, preview } = place;
    const isRight = side === "right";
    const room = { width: preview.width, height: preview.height - (isRight ? 1 : 0) };
    const fields = { shape: tools.shape, clock: clockOf(services), shorten: createShortener() };
    const told = previewLines(row, fields, room);
    const filler: readonly TextLine[] = Array.from({ length: Math.max(0, list.height - all.length) }, () => []);
    const title = previewTitle(preview.width, keyLabelsOf(explorer));
    return joinPreview([...all, ...filler], isRight ? [title, ...told] : told, place, services.unicode);
  };
  return { size: list, width: Math.max(1, list.width - MARK_WIDTH), draw };
}

/** {@link useFilterInput} for rows of columns: the rows that it leaves, and its line. */
export function useFilter(part: string, rows: readonly JsonObject[], columns: readonly TableColumn[], active: boolean) {
  const explorer = useExplorer();
  const { typed, bindings } = useFilterInput(part, rows.length > 1, active);
  const left = useMemo(() => leftOf(typed.text, rows, columns), [typed.text, rows, columns]);
  return { ...left, text: typed.text, line: filterLine(typed, left, rows.length, keyLabelsOf(explorer)), bindings };
}
