/** What a detail shows in each of its states: nodes or lines of JSON, measured near the window only. No React here. */
import type { Json } from "../../../base/json.ts";
import type { Shape } from "../../../output/fields/shape.ts";
import { type TextLine, textLine } from "../../app/theme/text-line.ts";
import { footHeight } from "./footer.ts";
import { type Sheet, shortenerOf } from "./format.ts";
import { columnsOf } from "./item-columns.ts";
import { END, type JsonLine, jsonLines, rawLines } from "./json-lines.ts";
import { type Drawing, nodeLines, standsApart } from "./node-lines.ts";
import type { DetailState, Scene, View } from "./reducer.ts";
import { type Findable, findableLines, findableNodes, matchesIn } from "./search.ts";
import { createTree, type Folds, findNode, type TreeNode, visibleNodes } from "./value-tree.ts";

/** What is newer than the measures: it changes looks, and no heights. */
export type Fresh = Pick<Sheet, "query" | "now">;

/** A view that can be drawn. */
export interface DrawnView extends View {
  /** The lines of the items from an index to before another. */
  lines(from: number, to: number, fresh: Fresh): readonly (readonly TextLine[])[];
}

/** A scene that can be drawn. */
export interface DetailScene extends Scene {
  view(state: DetailState): DrawnView;
  /** The node that the cursor is on; of a closing bracket the one that it closes. */
  nodeAt(id: string): TreeNode | undefined;
  sheet(state: DetailState): Sheet;
}

/** What a scene is of. */
export interface Matter {
  readonly value: Json;
  readonly shape: Shape;
  readonly width: number;
  readonly height: number;
  /** Whether a line is needed to tell how it stands with the answer. */
  readonly hasNotice: boolean;
  readonly paper: Pick<Sheet, "unicode" | "now" | "timeZone" | "own" | "labels">;
}

/** From this height on sections stand apart. */
const AIRY = 16;
/** Lines of one value among fields. */
const MOST_LINES = 8;

/** Makes a scene. What takes long is made when it is first asked for, and kept. */
export function createScene({ value, shape, width, height, hasNotice, paper }: Matter): DetailScene {
  const tree = createTree(value, shape);
  const shorten = shortenerOf(value);
  const json = kept(() => jsonLines(value));
  const findable = {
    fields: kept(() => placed(findableNodes(tree, paper))),
    raw: kept(() => placed(findableLines(json()))),
  };
  const linesFor = (state: DetailState) => Math.max(1, height - footHeight({ width, height }, state, hasNotice));
  const paged = kept((mostLines: number, wraps: boolean, left: number): Sheet => {
    return { ...paper, width, shorten, wraps, left, mostLines, airy: height >= AIRY };
  });
  const sheet = (state: DetailState) => {
    const most = linesFor(state);
    return paged(state.view === "raw" ? most : Math.min(most, MOST_LINES), state.wraps, state.left);
  };
  const nodes = kept((folds: Folds) => visibleNodes(tree, folds));
  const columns = kept((of: Sheet) => each((list: TreeNode) => columnsOf(list, tree, of)));
  const fields = kept((folds: Folds, of: Sheet) =>
    nodesView(nodes(folds), { tree, folds, sheet: of, columns: columns(of) }),
  );
  const raw = kept((of: Sheet) => jsonView(json(), of));
  const matches = kept((all: readonly Findable[], query: string) => matchesIn(all, query));
  return {
    tree,
    sheet,
    height: linesFor,
    view: (state) => (state.view === "raw" ? raw(sheet(state)) : fields(state.folds, sheet(state))),
    matches: (state) => (state.query === "" ? [] : matches(findable[state.view]().all, state.query)),
    order: (state, id) => findable[state.view]().places.get(id) ?? -1,
    nodeAt: (id) => findNode(tree, id.endsWith(END) ? id.slice(0, -END.length) : id),
  };
}

/** Keeps the result for the newest arguments. */
function kept<A extends readonly unknown[], R>(make: (...args: A) => R): (...args: A) => R {
  let known: { readonly args: A; readonly result: R } | undefined;
  return (...args) => {
    const same = known?.args.every((one, index) => Object.is(one, args[index]));
    if (!known || !same) known = { args, result: make(...args) };
    return known.result;
  };
}

/** Keeps the result for each object. */
function each<K extends object, R>(make: (key: K) => R): (key: K) => R {
  const known = new WeakMap<K, R>();
  return (key) => {
    const result = known.get(key) ?? make(key);
    known.set(key, result);
    return result;
  };
}

function placed(all: readonly Findable[]) {
  return { all, places: new Map(all.map(({ id }, index) => [id, index])) };
}

function nodesView(nodes: readonly TreeNode[], drawing: Drawing): DrawnView {
  const draw = (index: number, by: Drawing): readonly TextLine[] => {
    const node = nodes[index];
    if (!node) return [];
    const lines = nodeLines(node, by);
    return standsApart(node, nodes[index - 1], by) ? [textLine(""), ...lines] : lines;
  };
  return {
    ...measured(nodes, (index) => draw(index, drawing).length),
    lines(from, to, fresh) {
      const by = { ...drawing, sheet: { ...drawing.sheet, ...fresh } };
      return nodes.slice(from, to).map((_node, index) => draw(from + index, by));
    },
  };
}

function jsonView(lines: readonly JsonLine[], sheet: Sheet): DrawnView {
  return {
    ...measured(lines, (index) => {
      const one = lines[index];
      return one ? rawLines(one, sheet).length : 0;
    }),
    lines: (from, to, fresh) => lines.slice(from, to).map((one) => rawLines(one, { ...sheet, ...fresh })),
  };
}

/** Items by their ids, each measured once. */
function measured(all: readonly { readonly id: string }[], measure: (index: number) => number): View {
  const heights = new Map<number, number>();
  const places = kept(() => new Map(all.map(({ id }, index) => [id, index])));
  return {
    count: all.length,
    idAt: (index) => all[index]?.id ?? "",
    indexOf: (id) => places().get(id) ?? -1,
    heightAt(index) {
      const height = heights.get(index) ?? measure(index);
      heights.set(index, height);
      return height;
    },
  };
}
