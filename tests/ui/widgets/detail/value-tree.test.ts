/** Values as foldable trees. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { isArray, isObject, type Json } from "../../../../src/base/json.ts";
import { TransactionDetail } from "../../../../src/catalogue/entities/index.ts";
import { UNKNOWN_SHAPE } from "../../../../src/catalogue/index.ts";
import { deriveShape } from "../../../../src/catalogue/schemas.ts";
import { formatPath, valueAt } from "../../../../src/output/fields/paths.ts";
import {
  ancestors,
  createValueTree,
  type FoldState,
  findNode,
  INITIAL_FOLDS,
  isOpen,
  nodePath,
  type ValueNode,
  visibleNodes,
  withFolds,
} from "../../../../src/ui/widgets/detail/value-tree.ts";
import { anyValue } from "./support.ts";

const ALL: FoldState = { all: true, chosen: new Map() };
const NONE: FoldState = { all: false, chosen: new Map() };
const treeOf = (value: Json) => createValueTree(value, UNKNOWN_SHAPE);
const inner = (value: Json): readonly Json[] => (isArray(value) ? value : isObject(value) ? Object.values(value) : []);
const labels = (nodes: readonly ValueNode[]) => nodes.map(({ depth, label }) => `${" ".repeat(depth)}${label}`);

describe("a value tree", () => {
  test("contains every value once, at its path", () => {
    fc.assert(
      fc.property(anyValue, (value) => {
        const tree = treeOf(value);
        const nodes = visibleNodes(tree, ALL);
        for (const node of nodes) {
          const at = valueAt(value, nodePath(node)) ?? null;
          // Only a field `x` with a sibling `x_str` is omitted.
          expect(node.value).toBe(at);
          expect(findNode(tree, node.id)).toBe(node);
        }
        expect(new Set(nodes.map(({ id }) => id)).size).toBe(nodes.length);
      }),
    );
  });

  test("shows children right below an unfolded node, and folding hides only these", () => {
    fc.assert(
      fc.property(anyValue, fc.nat(), (value, pick) => {
        const tree = treeOf(value);
        const nodes = visibleNodes(tree, ALL);
        const branches = nodes.filter(({ form, depth }) => form !== "leaf" && depth >= 0);
        const node = branches[pick % Math.max(1, branches.length)];
        if (!node) return;
        const folded = visibleNodes(tree, withFolds(ALL, [node], false));
        expect(folded).toEqual(nodes.filter((one) => !ancestors(one).includes(node)));
        expect(visibleNodes(tree, withFolds(withFolds(ALL, [node], false), [node], true))).toEqual(nodes);
      }),
    );
  });

  test("shows only the top-level fields when everything is folded", () => {
    fc.assert(
      fc.property(anyValue, (value) => {
        const nodes = visibleNodes(treeOf(value), NONE);
        expect(nodes.every(({ depth }) => depth <= 0)).toBe(true);
        if (isArray(value) && value.length > 1) expect(nodes).toHaveLength(inner(value).length);
      }),
    );
  });

  test("starts with short values unfolded and long ones folded", () => {
    const value = { name: "x", small: { a: 1 }, few: [1, 2], many: Array.from({ length: 50 }, (_, index) => index) };
    expect(labels(visibleNodes(treeOf(value), INITIAL_FOLDS))).toEqual([
      "name",
      "small",
      " a",
      "few",
      " [0]",
      " [1]",
      "many",
    ]);
  });

  test("keeps items of lists folded, except a single one", () => {
    const tree = treeOf({ one: [{ a: [1, 2] }], two: [{ a: 1 }, { a: 2 }] });
    expect(labels(visibleNodes(tree, INITIAL_FOLDS))).toEqual(["one", " [0]", "  a", "two", " [0]", " [1]"]);
  });

  test("has readable names, and scalars first, for fields that the catalogue describes", () => {
    const tree = createValueTree(
      { parsed_instructions: [], tx_hash: "x", Odd_Name: 1 },
      deriveShape(TransactionDetail),
    );
    const names = visibleNodes(tree, NONE).map(({ label }) => label);
    expect(names[0]).toBe("tx hash");
    expect(names).toContain("parsed instructions");
    expect(names).toContain("Odd_Name");
  });

  test("shows missing required fields", () => {
    const tree = createValueTree({ tx_hash: "x" }, deriveShape(TransactionDetail));
    const fee = visibleNodes(tree, NONE).find(({ label }) => label === "fee");
    expect(fee).toMatchObject({ value: undefined, form: "leaf" });
  });

  test("supports more than 60 levels", () => {
    let value: Json = "deep";
    for (let level = 0; level < 1500; level += 1) value = { in: value };
    const nodes = visibleNodes(treeOf(value), ALL);
    expect(nodes).toHaveLength(1500);
    expect(nodes.at(-1)?.value).toBe("deep");
  });

  test("reuses its nodes when folds change", () => {
    const tree = treeOf(Array.from({ length: 5000 }, (_, index) => ({ index })));
    expect(visibleNodes(tree, ALL)[1]).toBe(tree.children(visibleNodes(tree, NONE)[0] ?? tree.root)[0]);
  });

  test("formats paths as options accept them", () => {
    expect(formatPath(["a", 0, "odd name", "b"])).toBe('a[0]["odd name"].b');
    expect(formatPath([1, "x\u202Ey"])).toBe('[1]["x‹U+202E›y"]');
  });

  test("keeps values folded whose summary is complete", () => {
    const tree = treeOf({ decoded: { supply: { type: "u64", data: 7 }, more: { a: 1, b: 2, c: 3 } } });
    expect(labels(visibleNodes(tree, INITIAL_FOLDS))).toEqual(["decoded", " supply", " more", "  a", "  b", "  c"]);
  });

  test("does not open deep levels by default", () => {
    const nodes = visibleNodes(treeOf({ a: { b: { c: { d: { e: [] } } } } }), INITIAL_FOLDS);
    expect(nodes.map((node) => isOpen(INITIAL_FOLDS, node))).toEqual([true, true, true, false]);
  });
});
