/**
 * The rows of a detail view in each of its states, nodes or lines of JSON, measured only near the window, and the matches
 * of its search. No React here.
 */

import { type Json, scalarText } from "../../../base/index.ts";
import type { Shape } from "../../../catalogue/index.ts";
import { type TextLine, textLine } from "../../navigation/theme/text-line.ts";
import { footerHeight } from "./footer.ts";
import { createValueShortener, type DrawOptions, formatLeaf, nameOfLeaf, searchPattern } from "./format.ts";
import { END, type JsonLine, jsonLines, jsonText, wrapJsonLine } from "./json-lines.ts";
import { chooseItemColumns, type NodeDrawing, nodeLines, startsSection } from "./node-lines.ts";
import type { DetailModel, DetailRows, DetailState } from "./reducer.ts";
import {
  createValueTree,
  type FoldState,
  findNode,
  singleValue,
  type ValueNode,
  type ValueTree,
  visibleNodes,
} from "./value-tree.ts";

/** What is shown, and where. */
export interface DetailInput {
  readonly value: Json;
  readonly shape: Shape;
  readonly width: number;
  readonly height: number;
  /** Whether the state of the answer needs a line. */
  readonly hasNotice: boolean;
  readonly options: Pick<DrawOptions, "unicode" | "now" | "timeZone" | "namer">;
}

/** From this height on sections are separated by an empty line. */
const MIN_SPACED_HEIGHT = 16;
const MAX_LINES = 8;

/** Creates a model. Expensive parts are computed on first use and cached. */
export function createDetailModel({ value, shape, width, height, hasNotice, options }: DetailInput): DetailModel {
  const tree = createValueTree(value, shape);
  const shorten = createValueShortener(value);
  const json = memoizeLatest(() => jsonLines(value));
  const searchable = {
    fields: memoizeLatest(() => withPositions(searchableNodes(tree, options))),
    raw: memoizeLatest(() => withPositions(searchableLines(json()))),
  };
  const heightFor = (state: DetailState) => Math.max(1, height - footerHeight({ width, height }, state, hasNotice));
  const optionsWith = memoizeLatest((mostLines: number, wraps: boolean, left: number): DrawOptions => {
    return {
      ...options,
      width,
      shorten,
      wraps,
      scrollLeft: left,
      maxLines: mostLines,
      isSpaced: height >= MIN_SPACED_HEIGHT,
    };
  });
  const optionsFor = (state: DetailState) => {
    const most = heightFor(state);
    return optionsWith(state.mode === "raw" ? most : Math.min(most, MAX_LINES), state.wraps, state.scrollLeft);
  };
  const nodes = memoizeLatest((folds: FoldState) => visibleNodes(tree, folds));
  const columns = memoizeLatest((of: DrawOptions) =>
    memoizeByObject((list: ValueNode) => chooseItemColumns(list, tree, of)),
  );
  const fields = memoizeLatest((folds: FoldState, of: DrawOptions) =>
    nodeRows(nodes(folds), { tree, folds, options: of, columns: columns(of) }),
  );
  const raw = memoizeLatest((of: DrawOptions) => jsonRows(json(), of));
  const matches = memoizeLatest((all: readonly Searchable[], query: string) => findMatches(all, query));
  return {
    tree,
    options: optionsFor,
    height: heightFor,
    rows: (state) => (state.mode === "raw" ? raw(optionsFor(state)) : fields(state.folds, optionsFor(state))),
    matches: (state) => (state.query === "" ? [] : matches(searchable[state.mode]().all, state.query)),
    position: (state, id) => searchable[state.mode]().places.get(id) ?? -1,
    nodeAt: (id) => findNode(tree, id.endsWith(END) ? id.slice(0, -END.length) : id),
  };
}

function memoizeLatest<A extends readonly unknown[], R>(make: (...args: A) => R): (...args: A) => R {
  let cached: { readonly args: A; readonly result: R } | undefined;
  return (...args) => {
    const same = cached?.args.every((one, index) => Object.is(one, args[index]));
    if (!cached || !same) cached = { args, result: make(...args) };
    return cached.result;
  };
}

function memoizeByObject<K extends object, R>(make: (key: K) => R): (key: K) => R {
  const cached = new WeakMap<K, R>();
  return (key) => {
    const result = cached.get(key) ?? make(key);
    cached.set(key, result);
    return result;
  };
}

function withPositions(all: readonly Searchable[]) {
  return { all, places: new Map(all.map(({ id }, index) => [id, index])) };
}

function nodeRows(nodes: readonly ValueNode[], drawing: NodeDrawing): DetailRows {
  const draw = (index: number, by: NodeDrawing): readonly TextLine[] => {
    const node = nodes[index];
    if (!node) return [];
    const lines = nodeLines(node, by);
    return startsSection(node, nodes[index - 1], by) ? [textLine(""), ...lines] : lines;
  };
  return {
    ...measuredRows(nodes, (index) => draw(index, drawing).length),
    lines(from, to, live) {
      const by = { ...drawing, options: { ...drawing.options, ...live } };
      return nodes.slice(from, to).map((_node, index) => draw(from + index, by));
    },
  };
}

function jsonRows(lines: readonly JsonLine[], options: DrawOptions): DetailRows {
  return {
    ...measuredRows(lines, (index) => {
      const one = lines[index];
      return one ? wrapJsonLine(one, options).length : 0;
    }),
    lines: (from, to, live) => lines.slice(from, to).map((one) => wrapJsonLine(one, { ...options, ...live })),
  };
}

/** Returns rows by id whose heights are measured once. */
function measuredRows(
  all: readonly { readonly id: string }[],
  measure: (index: number) => number,
): Omit<DetailRows, "lines"> {
  const heights = new Map<number, number>();
  const positions = memoizeLatest(() => new Map(all.map(({ id }, index) => [id, index])));
  return {
    count: all.length,
    idAt: (index) => all[index]?.id ?? "",
    indexOf: (id) => positions().get(id) ?? -1,
    heightAt(index) {
      const height = heights.get(index) ?? measure(index);
      heights.set(index, height);
      return height;
    },
  };
}

interface Searchable {
  readonly id: string;
  readonly texts: readonly string[];
}

/** Returns all nodes of a tree with their labels, names, and values as formatted and as received. */
function searchableNodes(
  tree: ValueTree,
  options: Pick<DrawOptions, "now" | "timeZone" | "namer">,
): readonly Searchable[] {
  if (tree.root.form === "leaf") return [{ id: tree.root.id, texts: searchTexts(tree.root, options) }];
  const searchable: Searchable[] = [];
  const add = (node: ValueNode) => {
    searchable.push({ id: node.id, texts: searchTexts(node, options) });
    for (const child of tree.children(node)) add(child);
  };
  for (const child of tree.children(tree.root)) add(child);
  return searchable;
}

function searchTexts(node: ValueNode, options: Pick<DrawOptions, "now" | "timeZone" | "namer">): readonly string[] {
  const name = typeof node.name === "string" ? [node.label, node.name] : [];
  if (node.form !== "leaf") return name;
  const raw = scalarText(singleValue(node.value));
  const cell = formatLeaf(node, options);
  const nameBeside = nameOfLeaf(node, cell, options);
  return [...name, cell.text, ...(nameBeside ? [nameBeside.text] : []), ...(raw === undefined ? [] : [raw])];
}

function searchableLines(lines: readonly JsonLine[]): readonly Searchable[] {
  return lines.map((line) => ({ id: line.id, texts: [jsonText(line)] }));
}

function findMatches(all: readonly Searchable[], query: string): readonly string[] {
  const pattern = searchPattern(query);
  if (pattern === undefined) return [];
  return all.filter(({ texts }) => texts.some((text) => text.search(pattern) >= 0)).map(({ id }) => id);
}
