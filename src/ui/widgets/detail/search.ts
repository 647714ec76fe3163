/** Searching in a detail: what matches, in the order of the view, folded or not. No React here. */
import { isNumeric, type Json, numericText } from "../../../base/json.ts";
import { type DrawOptions, formatLeaf, labelForCell, searchPattern } from "./format.ts";
import type { JsonLine } from "./json-lines.ts";
import { jsonText } from "./json-lines.ts";
import { singleValue, type ValueNode, type ValueTree } from "./value-tree.ts";

/** Something that can be found: its id, and the texts to look at. */
export interface Searchable {
  readonly id: string;
  readonly texts: readonly string[];
}

/** All nodes of a tree: their labels and names, their values as they read and as they came. */
export function searchableNodes(
  tree: ValueTree,
  options: Pick<DrawOptions, "now" | "timeZone" | "labels">,
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

function searchTexts(node: ValueNode, options: Pick<DrawOptions, "now" | "timeZone" | "labels">): readonly string[] {
  const name = typeof node.name === "string" ? [node.label, node.name] : [];
  if (node.form !== "leaf") return name;
  const raw = plainText(singleValue(node.value));
  const cell = formatLeaf(node, options);
  const label = labelForCell(cell, options);
  return [...name, cell.text, ...(label ? [label.text] : []), ...(raw === undefined ? [] : [raw])];
}

function plainText(value: Json | undefined): string | undefined {
  if (isNumeric(value)) return numericText(value);
  return typeof value === "string" ? value : undefined;
}

/** All lines of JSON, whole. */
export function searchableLines(lines: readonly JsonLine[]): readonly Searchable[] {
  return lines.map((line) => ({ id: line.id, texts: [jsonText(line)] }));
}

/** The ids of what matches, in order. */
export function findMatches(all: readonly Searchable[], query: string): readonly string[] {
  const pattern = searchPattern(query);
  if (pattern === undefined) return [];
  return all.filter(({ texts }) => texts.some((text) => text.search(pattern) >= 0)).map(({ id }) => id);
}

/**
 * The match after or before a place in the order of the view; from the last on to the first and back.
 * @param positionOf where an id stands among all that can be found
 */
export function nextMatch(
  matches: readonly string[],
  from: number,
  positionOf: (id: string) => number,
  by: 1 | -1,
): string | undefined {
  if (by > 0) return matches.find((id) => positionOf(id) > from) ?? matches[0];
  return matches.findLast((id) => positionOf(id) < from) ?? matches.at(-1);
}
