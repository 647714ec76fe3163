/** Search in a detail view: matches in row order, folded rows included. No React here. */
import { isNumeric, type Json, numericText } from "../../../base/index.ts";
import { type DrawOptions, formatLeaf, nameOfLeaf, searchPattern } from "./format.ts";
import { type JsonLine, jsonText } from "./json-lines.ts";
import { singleValue, type ValueNode, type ValueTree } from "./value-tree.ts";

/** A searchable item: its id and its texts. */
export interface Searchable {
  readonly id: string;
  readonly texts: readonly string[];
}

/** Returns all nodes of a tree with their labels, names, and values as formatted and as received. */
export function searchableNodes(
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
  const raw = plainText(singleValue(node.value));
  const cell = formatLeaf(node, options);
  const nameBeside = nameOfLeaf(node, cell, options);
  return [...name, cell.text, ...(nameBeside ? [nameBeside.text] : []), ...(raw === undefined ? [] : [raw])];
}

function plainText(value: Json | undefined): string | undefined {
  if (isNumeric(value)) return numericText(value);
  return typeof value === "string" ? value : undefined;
}

/** Returns all lines of JSON with their full texts. */
export function searchableLines(lines: readonly JsonLine[]): readonly Searchable[] {
  return lines.map((line) => ({ id: line.id, texts: [jsonText(line)] }));
}

/** Returns the ids of the matches, in order. */
export function findMatches(all: readonly Searchable[], query: string): readonly string[] {
  const pattern = searchPattern(query);
  if (pattern === undefined) return [];
  return all.filter(({ texts }) => texts.some((text) => text.search(pattern) >= 0)).map(({ id }) => id);
}

/**
 * Returns the next or previous match; wraps around at the ends.
 * @param positionOf returns the position of an id among all searchable items
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
