/** Where the nodes of a flow tree are: the row of each, and its column left or right of the wallet. No React here. */
import { hierarchy, tree } from "d3-hierarchy";
import { DIRECTIONS, type FlowNode } from "./tree.ts";

/** A node with its place. */
export interface PlacedNode {
  readonly node: FlowNode;
  /** Counted from the top of the graph. */
  readonly row: number;
  /** Steps from the wallet; negative on the side of those who sent. */
  readonly column: number;
}

/** The places of all nodes. */
export interface FlowLayout {
  readonly nodes: readonly PlacedNode[];
  /** The row of the wallet, and the number of rows. */
  readonly row: number;
  readonly height: number;
}

/** Rows that the box of the wallet takes above and below its own. */
export const BOX_MARGIN = 1;

/**
 * Lays out a tree.
 * @param nodes those next to the wallet, with all below them
 * @param spacing rows from a node to the next one of the same parent; those of several have one more between them
 */
export function layoutFlow(nodes: readonly FlowNode[], spacing = 1): FlowLayout {
  const sides = DIRECTIONS.flatMap((direction) =>
    placeSide(
      nodes.filter((node) => node.direction === direction),
      spacing,
    ).map(({ node, row, depth }) => ({
      node,
      row,
      column: direction === "in" ? -depth : depth,
    })),
  );
  const top = sides.reduce((least, { row }) => Math.min(least, row), -BOX_MARGIN);
  const bottom = sides.reduce((most, { row }) => Math.max(most, row + spacing - 1), BOX_MARGIN);
  const placed = sides.map((one) => ({ ...one, row: one.row - top }));
  return { nodes: placed, row: -top, height: bottom - top + 1 };
}

type SideNode = { readonly node: FlowNode; row: number; readonly depth: number };

/** Returns the nodes of a side, with rows relative to that of the wallet. */
function placeSide(nodes: readonly FlowNode[], spacing: number): readonly SideNode[] {
  const root = hierarchy<{ readonly children: readonly FlowNode[] }>({ children: nodes }, ({ children }) => children);
  const layout = tree<{ readonly children: readonly FlowNode[] }>()
    .nodeSize([1, 1])
    .separation((a, b) => (a.parent === b.parent ? spacing : spacing + 1));
  const placed = layout(root)
    .descendants()
    .filter(({ depth }) => depth > 0)
    .map(({ data, x, depth }): SideNode => ({ node: data as FlowNode, row: Math.round(x), depth }));
  // Rounding may put two nodes of a column in one row.
  const rows = new Map<number, number>();
  for (const one of placed.toSorted((a, b) => a.row - b.row)) {
    one.row = Math.max(one.row, (rows.get(one.depth) ?? Number.NEGATIVE_INFINITY) + spacing);
    rows.set(one.depth, one.row);
  }
  return placed;
}
