/** Searching in a detail: what matches, in the order of the view, folded or not. No React here. */
import { isNumeric, type Json, numericText } from "../../../base/json.ts";
import { cellOf, labelOf, patternOf, type Sheet } from "./format.ts";
import type { JsonLine } from "./json-lines.ts";
import { jsonText } from "./json-lines.ts";
import { soleOf, type Tree, type TreeNode } from "./value-tree.ts";

/** Something that can be found: its id, and the texts to look at. */
export interface Findable {
  readonly id: string;
  readonly texts: readonly string[];
}

/** All nodes of a tree: their labels and names, their values as they read and as they came. */
export function findableNodes(tree: Tree, sheet: Pick<Sheet, "now" | "timeZone" | "labels">): readonly Findable[] {
  if (tree.root.form === "leaf") return [{ id: tree.root.id, texts: textsOf(tree.root, sheet) }];
  const found: Findable[] = [];
  const add = (node: TreeNode) => {
    found.push({ id: node.id, texts: textsOf(node, sheet) });
    for (const child of tree.children(node)) add(child);
  };
  for (const child of tree.children(tree.root)) add(child);
  return found;
}

function textsOf(node: TreeNode, sheet: Pick<Sheet, "now" | "timeZone" | "labels">): readonly string[] {
  const name = typeof node.name === "string" ? [node.label, node.name] : [];
  if (node.form !== "leaf") return name;
  const raw = plainText(soleOf(node.value));
  const cell = cellOf(node, sheet);
  const label = labelOf(cell, sheet);
  return [...name, cell.text, ...(label ? [label.text] : []), ...(raw === undefined ? [] : [raw])];
}

function plainText(value: Json | undefined): string | undefined {
  if (isNumeric(value)) return numericText(value);
  return typeof value === "string" ? value : undefined;
}

/** All lines of JSON, whole. */
export function findableLines(lines: readonly JsonLine[]): readonly Findable[] {
  return lines.map((line) => ({ id: line.id, texts: [jsonText(line)] }));
}

/** The ids of what matches, in order. */
export function matchesIn(all: readonly Findable[], query: string): readonly string[] {
  const pattern = patternOf(query);
  if (pattern === undefined) return [];
  return all.filter(({ texts }) => texts.some((text) => text.search(pattern) >= 0)).map(({ id }) => id);
}

/**
 * The match after or before a place in the order of the view; from the last on to the first and back.
 * @param order where an id stands among all that can be found
 */
export function nextMatch(
  matches: readonly string[],
  from: number,
  order: (id: string) => number,
  by: 1 | -1,
): string | undefined {
  if (by > 0) return matches.find((id) => order(id) > from) ?? matches[0];
  return matches.findLast((id) => order(id) < from) ?? matches.at(-1);
}
