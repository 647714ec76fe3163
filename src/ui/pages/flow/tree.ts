/** The flows around a wallet as a tree: who sent to it on one side, whom it sent to on the other. No React here. */
import { fieldOf, type Json, textOf } from "../../../base/index.ts";
import {
  type Flow,
  type FlowDirection,
  type FlowHop,
  type FlowRole,
  type FlowSum,
  sumFlows,
} from "../../../client/index.ts";

/** Accounts of a wallet that are shown at first, and further ones with each key. */
export const BREADTH = 8;

/** Tokens of a list whose prices are requested; each costs as much as a page of transfers. */
export const MAX_PRICED = 20;

/** Both sides of the tree. Money moves from the left to the right: those who sent are on the left. */
export const DIRECTIONS = ["in", "out"] as const satisfies readonly FlowDirection[];

/** An account of the tree, or all others that a wallet dealt with. */
export interface FlowNode {
  /** Names the node: its direction, and the accounts from the wallet of the tree on. */
  readonly path: string;
  readonly direction: FlowDirection;
  /** Steps from the wallet of the tree. */
  readonly depth: number;
  /** The account to which the flows lead, or from which they come: the node before it, or the wallet of the tree. */
  readonly parent: string;
  /** Undefined where it stands for several accounts. */
  readonly address: string | undefined;
  /** The number of accounts that it stands for. */
  readonly accounts: number;
  /** What moved between the account and its parent, the largest first. */
  readonly flows: readonly Flow[];
  readonly sum: FlowSum;
  readonly role: FlowRole | "others";
  /** The path of the node with the same account that is followed in its place, as in a cycle. */
  readonly repeats: string | undefined;
  /** Whether its own flows are shown. */
  readonly isOpen: boolean;
  readonly children: readonly FlowNode[];
}

/** The nodes that are open by their paths, and how many accounts of each are shown. */
export type OpenNodes = Readonly<Record<string, number>>;

/** What a tree is made from. */
export interface FlowTreeSource {
  /** The wallet in the middle. */
  readonly wallet: string;
  readonly directions: readonly FlowDirection[];
  readonly open: OpenNodes;
  readonly hopsOf: (address: string, direction: FlowDirection) => readonly FlowHop[];
  readonly roleOf: (address: string) => FlowRole;
  readonly flowValue: Parameters<typeof sumFlows>[1];
}

type GrowingNode = FlowNode & { readonly children: FlowNode[] };

/**
 * Returns the nodes next to the wallet with all below them. An account is followed once on each side, where it is nearest
 * to the wallet: cycles end, and the tree has at most as many nodes as its open accounts show.
 */
export function buildFlowTree(source: FlowTreeSource): readonly FlowNode[] {
  const { wallet, directions } = source;
  return directions.flatMap((direction) => {
    const followed = new Map([[wallet, ""]]);
    const nearest = childNodes(source, { address: wallet, path: direction, direction, depth: 0 }, followed);
    for (let level = nearest; level.length > 0; ) {
      for (const node of level) {
        if (node.isOpen && node.address !== undefined)
          node.children.push(...childNodes(source, { ...node, address: node.address }, followed));
      }
      level = level.flatMap(({ children }) => children as GrowingNode[]);
    }
    return nearest;
  });
}

type ParentNode = Pick<FlowNode, "path" | "direction" | "depth"> & { readonly address: string };

function childNodes(
  { hopsOf, roleOf, open, flowValue }: FlowTreeSource,
  { address: parent, path: parentPath, direction, depth }: ParentNode,
  followed: Map<string, string>,
): GrowingNode[] {
  const hops = hopsOf(parent, direction);
  const shown = open[parentPath] ?? BREADTH;
  // A single other account takes no more space than its number.
  const count = hops.length === shown + 1 ? hops.length : shown;
  const base = { direction, depth: depth + 1, parent };
  const nodes = hops.slice(0, count).map(({ address, flows, ...sum }): GrowingNode => {
    const path = `${parentPath}/${address}`;
    const role = roleOf(address);
    const repeats = followed.get(address);
    if (repeats === undefined) followed.set(address, path);
    const isOpen = repeats === undefined && role === "wallet" && open[path] !== undefined;
    return { ...base, path, address, accounts: 1, flows, sum, role, repeats, isOpen, children: [] };
  });
  const rest = hops.slice(count);
  if (rest.length === 0) return nodes;
  const flows = rest.flatMap((hop) => hop.flows);
  const others: GrowingNode = {
    ...base,
    ...{ path: `${parentPath}/`, address: undefined, accounts: rest.length, flows, sum: sumFlows(flows, flowValue) },
    ...{ role: "others", repeats: undefined, isOpen: false, children: [] },
  };
  return [...nodes, others];
}

/** Returns the tokens whose prices are needed most: of each list, those of the most transfers. */
export function pricedTokens(lists: readonly (readonly Json[])[]): ReadonlySet<string> {
  const tokensOf = (rows: readonly Json[]) => {
    const counts = new Map<string, number>();
    for (const row of rows) {
      const token = textOf(fieldOf(row, "token_address"));
      if (token !== undefined) counts.set(token, (counts.get(token) ?? 0) + 1);
    }
    const ordered = [...counts].toSorted(([a, n], [b, m]) => m - n || (a < b ? -1 : 1));
    return ordered.slice(0, MAX_PRICED).map(([token]) => token);
  };
  return new Set(lists.flatMap(tokensOf));
}

/** Returns with how many accounts a wallet dealt in a direction, and in how many transfers. */
export function sumSide(nodes: readonly FlowNode[], direction: FlowDirection) {
  const near = nodes.filter((node) => node.direction === direction && node.depth === 1);
  return {
    near,
    accounts: near.reduce((sum, node) => sum + node.accounts, 0),
    transfers: near.reduce((sum, node) => sum + node.sum.transfers, 0),
  };
}

/** Returns all nodes of a tree, each before those below it. */
export const listNodes = (nodes: readonly FlowNode[]): readonly FlowNode[] =>
  nodes.flatMap((node) => [node, ...listNodes(node.children)]);

/** Returns the path of the node before one; empty for the wallet of the tree. */
export const parentPath = ({ path, depth }: Pick<FlowNode, "path" | "depth">): string =>
  depth > 1 ? path.slice(0, path.lastIndexOf("/")) : "";
