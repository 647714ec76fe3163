/** Flows as the text of programs that draw graphs. */
import { pluralize, scaleDown } from "../../base/index.ts";
import type { FlowAccount, FlowEdge, MoneyFlow } from "../../client/index.ts";
import { createShortener, formatAmount, formatUsd, type NameOf } from "../../output/index.ts";
import type { GRAPH_FORMATS } from "../options/own-format.ts";

/** What a node stands for: an account by its role, a wallet that was asked for, or the other accounts of one. */
type NodeKind = FlowAccount["role"] | "start" | "others";

interface Graph {
  readonly nodes: readonly { readonly id: string; readonly kind: NodeKind; readonly label: string }[];
  readonly arrows: readonly { readonly from: string; readonly to: string; readonly label: string }[];
}

/** Returns the graph of flows; what an account sent to all others has an end of its own. */
function toGraph({ accounts, edges }: MoneyFlow, nameOf: NameOf): Graph {
  const shorten = createShortener();
  // Addresses that look alike get longer forms once all are known.
  for (const { address } of accounts) shorten(address);
  const used = new Set(edges.flatMap(({ from, to }) => [from, to]));
  const shown = accounts.filter(({ address, depth }) => depth === 0 || used.has(address));
  const ids = new Map(shown.map(({ address }, index) => [address, `a${index}`]));
  // A name that imitates another one says so.
  const nameText = (id: string) => {
    const { name, warning } = nameOf(id) ?? {};
    return warning === undefined ? name : `${name} (${warning})`;
  };
  const titleOf = ({ address }: FlowAccount) => [nameText(address), shorten(address)].filter(Boolean).join(" ");
  const labelOf = ({ moved, transfers, value }: FlowEdge) => {
    const token = moved && (nameText(moved.token) ?? shorten(moved.token));
    const amount = moved && `${formatAmount(scaleDown(moved.amount, moved.decimals), "brief")} ${token}`;
    return [amount, value && formatUsd(value, "brief"), pluralize(transfers, "transfer")].filter(Boolean).join(", ");
  };
  const ends = edges.map((edge, index) => {
    const [from, to] = [edge.from, edge.to].map((end) => ids.get(end ?? "") ?? `o${index}`) as [string, string];
    return { edge, from, to };
  });
  return {
    nodes: [
      ...shown.map((account) => ({
        id: ids.get(account.address) as string,
        kind: account.depth === 0 ? ("start" as const) : account.role,
        label: titleOf(account),
      })),
      ...ends.flatMap(({ edge, from, to }) =>
        [from, to]
          .filter((id) => id.startsWith("o"))
          .map((id) => ({ id, kind: "others" as const, label: pluralize(edge.accounts, "other") })),
      ),
    ],
    arrows: ends.map(({ edge, from, to }) => ({ from, to, label: labelOf(edge) })),
  };
}

/** The shapes of nodes in Graphviz, and around a label in Mermaid. */
const SHAPES: Readonly<Record<NodeKind, readonly [dot: string, open: string, close: string]>> = {
  start: ["box, style=bold", "[", "]"],
  wallet: ["box", "[", "]"],
  exchange: ["house", "[[", "]]"],
  program: ["hexagon", "{{", "}}"],
  others: ["plaintext", "([", "])"],
};

/** Returns a graph in the language of Graphviz. */
function dotText({ nodes, arrows }: Graph): string {
  const quote = (text: string) => `"${text.replace(/[\\"]/g, "\\$&")}"`;
  const lines = [
    ...nodes.map(({ id, kind, label }) => `${id} [label=${quote(label)}, shape=${SHAPES[kind][0]}]`),
    ...arrows.map(({ from, to, label }) => `${from} -> ${to} [label=${quote(label)}]`),
  ];
  return `digraph flow {\n  rankdir=LR\n${lines.map((line) => `  ${line}\n`).join("")}}\n`;
}

/** Returns a graph in the language of Mermaid, in which `#` starts a character and `<` a tag. */
function mermaidText({ nodes, arrows }: Graph): string {
  const quote = (text: string) => `"${text.replace(/[#"<>&`]/g, (character) => `#${character.codePointAt(0)};`)}"`;
  const lines = [
    ...nodes.map(({ id, kind, label }) => `${id}${SHAPES[kind][1]}${quote(label)}${SHAPES[kind][2]}`),
    ...nodes.filter(({ kind }) => kind === "start").map(({ id }) => `style ${id} stroke-width:3px`),
    ...arrows.map(({ from, to, label }) => `${from} -->|${quote(label)}| ${to}`),
  ];
  return `flowchart LR\n${lines.map((line) => `  ${line}\n`).join("")}`;
}

const WRITERS: Readonly<Record<GraphFormat, (graph: Graph) => string>> = { dot: dotText, mermaid: mermaidText };

/** A format of graphs. */
export type GraphFormat = (typeof GRAPH_FORMATS)[number];

/** Returns flows as text in a format of graphs. */
export const graphText = (format: GraphFormat, flow: MoneyFlow, nameOf: NameOf): string =>
  WRITERS[format](toGraph(flow, nameOf));
