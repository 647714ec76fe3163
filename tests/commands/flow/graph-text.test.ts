/** Names that strangers chose cannot leave the labels of graphs. */
import { expect, test } from "vitest";
import type { MoneyFlow } from "../../../src/client/index.ts";
import { graphText } from "../../../src/commands/flow/graph-text.ts";

const [WALLET, OTHER] = ["2VGZ1aKd3rDLF5Z1Fv9QvJAs3f9dGVdTqz7ttDbhRTmz", "ob2htHLoCu2P6tX7RrNVtiG1mYTas8NGJEVLaFEUngk"];
const FLOW: MoneyFlow = {
  accounts: [WALLET, OTHER].map((address, depth) => {
    return { address, depth, role: "wallet", label: undefined, read: "all" };
  }),
  edges: [
    {
      ...{ depth: 1, from: WALLET, to: OTHER, accounts: 1, transfers: 2, first: 1, last: 2 },
      moved: { token: OTHER, decimals: 2, amount: { negative: false, digits: 123_456n, scale: 0 } },
      value: { negative: false, digits: 5n, scale: 1 },
    },
    {
      ...{ depth: 1, from: undefined, to: WALLET, accounts: 3, transfers: 9, first: 1, last: 2 },
      moved: undefined,
      value: undefined,
    },
  ],
  metadata: {},
};
const nameOf = () => ({
  name: 'a"]\\ <b> #1 `',
  kind: "account" as const,
  source: "answer" as const,
  warning: "imitates",
});

test("Graphviz", () => {
  expect(graphText("dot", FLOW, () => undefined)).toBe(`digraph flow {
  rankdir=LR
  a0 [label="2VGZ…RTmz", shape=box, style=bold]
  a1 [label="ob2h…Ungk", shape=box]
  o1 [label="3 others", shape=plaintext]
  a0 -> a1 [label="1,235 ob2h…Ungk, $0.50, 2 transfers"]
  o1 -> a0 [label="9 transfers"]
}
`);
  const labels = [...graphText("dot", FLOW, nameOf).matchAll(/label="((?:[^"\\]|\\.)*)"[,\]]/g)];
  expect(labels).toHaveLength(5);
  expect(labels[0]?.[1]).toBe('a\\"]\\\\ <b> #1 ` (imitates) 2VGZ…RTmz');
});

test("Mermaid", () => {
  const lines = graphText("mermaid", FLOW, nameOf).split("\n");
  expect(lines[0]).toBe("flowchart LR");
  expect(lines[1]).toBe('  a0["a#34;]\\ #60;b#62; #35;1 #96; (imitates) 2VGZ…RTmz"]');
  expect(lines.slice(1, -1).every((line) => (line.match(/"/g) ?? []).length % 2 === 0)).toBe(true);
});
