/** The keys of a flow graph: away from the wallet and back, up and down, into accounts and their transfers. */
import type { ParameterValues } from "../../../catalogue/index.ts";
import { type Region, useBindings, useExplorer } from "../../navigation/context.ts";
import { bindAction, refreshBinding } from "../../navigation/keys/bindings.ts";
import type { Route } from "../../navigation/route.ts";
import { itemAfter, type Movement, moveBindings } from "../../widgets/viewport.ts";
import { MORE_PAGES, ROLE_TEXTS } from "./details.ts";
import type { FlowLayout, PlacedNode } from "./layout.ts";
import type { FlowTexts } from "./texts.ts";
import { TRANSFERS, transfersRoute } from "./transfers.ts";
import { BREADTH, type FlowNode, type OpenNodes, parentPath } from "./tree.ts";
import type { FlowList } from "./use-flow.ts";

/** The selected node, the open ones, and the filters of transfers. */
export interface FlowState {
  /** The path of the node; empty for the wallet in the middle. */
  readonly selected: string;
  readonly open: OpenNodes;
  readonly params: ParameterValues;
}

/** The wallet in the middle, without filters. */
export const INITIAL_FLOW: FlowState = { selected: "", open: {}, params: {} };

interface FlowKeysOptions {
  readonly wallet: string;
  readonly state: FlowState;
  readonly setState: (change: (before: FlowState) => FlowState) => void;
  readonly layout: FlowLayout;
  readonly texts: FlowTexts;
  readonly lists: readonly FlowList[];
  readonly region: Region;
}

/** Registers the keys. Returns what the mouse does. */
export function useFlowKeys({ wallet, state, setState, layout, texts, lists, region }: FlowKeysOptions) {
  const { navigation, openPopup, data, toast } = useExplorer();
  const { params } = state;
  const nodes = layout.nodes.map(({ node }) => node);
  const node = nodes.find(({ path }) => path === state.selected);
  const select = (selected: string) => setState((before) => ({ ...before, selected }));
  const setOpen = (change: (open: OpenNodes) => OpenNodes) =>
    setState((before) => ({ ...before, open: change(before.open) }));

  /** Goes away from the wallet: opens an account, or goes to those next to it. */
  const goOut = ({ path, address, role, repeats, isOpen, children }: FlowNode) => {
    const key = path.replace(/\/$/, "");
    if (address === undefined) setOpen((open) => ({ ...open, [key]: (open[key] ?? BREADTH) + BREADTH }));
    else if (repeats !== undefined) select(repeats);
    else if (role !== "wallet" && role !== "others") toast(`${texts.nameSpan(address).text} is ${ROLE_TEXTS[role]}`);
    else if (isOpen) select(nearestNode(children, layout, path)?.path ?? path);
    else setOpen((open) => ({ ...open, [path]: BREADTH }));
  };
  /** Goes towards the wallet: closes an open account, or goes to the one before it. */
  const goIn = (from: FlowNode) => {
    if (from.isOpen) setOpen((open) => withoutNode(open, from.path));
    else select(parentPath(from));
  };
  const goTo = (direction: FlowNode["direction"]) => {
    const near = nodes.filter((one) => one.direction === direction && one.depth === 1);
    if (!node) select(nearestNode(near, layout)?.path ?? "");
    else if (node.direction === direction) goOut(node);
    else goIn(node);
  };
  const move = (movement: Movement) => {
    const column = columnOf(layout.nodes, node);
    const at = column.findIndex(({ path }) => path === node?.path);
    const next = column[itemAfter({ count: column.length }, region.height, at, movement)];
    if (next) select(next.path);
  };
  const account: Route | undefined =
    node?.address === undefined ? undefined : { kind: "entity", entity: "account", id: node.address };
  const editFilters = () =>
    openPopup({
      kind: "filter-form",
      endpoint: TRANSFERS,
      params: { ...params, address: wallet },
      fixed: ["address"],
      onDone: (entered) => setState(() => ({ ...INITIAL_FLOW, params: entered })),
    });
  const current = lists.filter(({ path }) => (node ? path === node.path : !path.includes("/")));
  const more = current.filter(({ load }) => !load.isComplete && !load.isLoading);
  const readMore = () => {
    for (const { request } of more) data.loads.start(request, MORE_PAGES);
  };
  const refresh = () => {
    for (const { request } of lists) {
      data.loads.discard(request);
      data.loads.start(request, 1);
    }
  };
  useBindings("panel", [
    ...moveBindings(move, node !== undefined),
    bindAction("move.left", wayLabel("in", node), () => goTo("in"), { hint: isEnd(node, "in") ? undefined : 12 }),
    bindAction("move.right", wayLabel("out", node), () => goTo("out"), { hint: isEnd(node, "out") ? undefined : 11 }),
    bindAction("go.open", "account", () => account && navigation.open(account), {
      hint: 13,
      active: account !== undefined,
    }),
    bindAction("flow.transfers", "transfers", () => navigation.open(transfersRoute(wallet, node, params)), {
      hint: 14,
    }),
    bindAction("list.form", "filter", editFilters, { hint: 15 }),
    bindAction("list.load", "read more", readMore, {
      hint: 21,
      active: more.length > 0,
    }),
    bindAction("list.unfilter-all", "no filters", () => setState(() => INITIAL_FLOW), {
      hint: 22,
      active: Object.keys(params).length > 0,
    }),
    refreshBinding(refresh),
  ]);
  return { node, move, select, goOut };
}

/** Returns whether nothing follows a node in a direction. */
const isEnd = (node: FlowNode | undefined, direction: FlowNode["direction"]): boolean =>
  node?.direction === direction && node.repeats === undefined && (node.role === "exchange" || node.role === "program");

/** Returns what the key for a direction does at a node. */
function wayLabel(direction: FlowNode["direction"], node: FlowNode | undefined): string {
  if (!node) return direction === "in" ? "who sent" : "who received";
  if (node.direction === direction) return node.isOpen ? "next" : "expand";
  return node.isOpen ? "collapse" : "back";
}

/** Returns the nodes in the column of one, from the top. */
function columnOf(placed: readonly PlacedNode[], node: FlowNode | undefined): readonly FlowNode[] {
  return placed
    .filter(({ node: one }) => one.direction === node?.direction && one.depth === node.depth)
    .toSorted((a, b) => a.row - b.row)
    .map((one) => one.node);
}

/** Returns the one of several nodes that is nearest to the row of a path, by default to that of the wallet. */
function nearestNode(nodes: readonly FlowNode[], layout: FlowLayout, path?: string): FlowNode | undefined {
  const rows = new Map(layout.nodes.map(({ node, row }) => [node.path, row]));
  const from = rows.get(path ?? "") ?? layout.row;
  const distance = (one: FlowNode) => Math.abs((rows.get(one.path) ?? 0) - from);
  return nodes.toSorted((a, b) => distance(a) - distance(b))[0];
}

/** Returns the open nodes without one and all below it. */
const withoutNode = (open: OpenNodes, path: string): OpenNodes =>
  Object.fromEntries(Object.entries(open).filter(([one]) => one !== path && !one.startsWith(`${path}/`)));
