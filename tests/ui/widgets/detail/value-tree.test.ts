/** Values as trees that fold. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { isArray, isObject, type Json } from "../../../../src/base/json.ts";
import { TransactionDetail } from "../../../../src/catalogue/entities/index.ts";
import { valueAt } from "../../../../src/output/fields/path.ts";
import { shapeOf } from "../../../../src/output/fields/schema.ts";
import { UNKNOWN_SHAPE } from "../../../../src/output/fields/shape.ts";
import {
  ancestors,
  createValueTree,
  type FoldState,
  findNode,
  formatPath,
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

describe("a tree", () => {
  test("holds every value once, with the path that leads to it", () => {
    fc.assert(
      fc.property(anyValue, (value) => {
        const tree = treeOf(value);
        const nodes = visibleNodes(tree, ALL);
        for (const node of nodes) {
          const at = valueAt(value, nodePath(node)) ?? null;
          // A twin `x_str` of a field `x` is left out, and nothing else.
          expect(node.value).toBe(at);
          expect(findNode(tree, node.id)).toBe(node);
        }
        expect(new Set(nodes.map(({ id }) => id)).size).toBe(nodes.length);
      }),
    );
  });

  test("unfolds to its children right below it, and folding takes just them away", () => {
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

  test("shows the top fields alone where everything is folded", () => {
    fc.assert(
      fc.property(anyValue, (value) => {
        const nodes = visibleNodes(treeOf(value), NONE);
        expect(nodes.every(({ depth }) => depth <= 0)).toBe(true);
        if (isArray(value) && value.length > 1) expect(nodes).toHaveLength(inner(value).length);
      }),
    );
  });

  test("begins with short parts open and long ones folded", () => {
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

  test("keeps items of lists folded, but for the only one", () => {
    const tree = treeOf({ one: [{ a: [1, 2] }], two: [{ a: 1 }, { a: 2 }] });
    expect(labels(visibleNodes(tree, INITIAL_FOLDS))).toEqual(["one", " [0]", "  a", "two", " [0]", " [1]"]);
  });

  test("has human names and plain fields first where the catalogue knows them", () => {
    const tree = createValueTree({ parsed_instructions: [], tx_hash: "x", Odd_Name: 1 }, shapeOf(TransactionDetail));
    const names = visibleNodes(tree, NONE).map(({ label }) => label);
    expect(names[0]).toBe("tx hash");
    expect(names).toContain("parsed instructions");
    expect(names).toContain("Odd_Name");
  });

  test("shows fields that should be there as missing", () => {
    const tree = createValueTree({ tx_hash: "x" }, shapeOf(TransactionDetail));
    const fee = visibleNodes(tree, NONE).find(({ label }) => label === "fee");
    expect(fee).toMatchObject({ value: undefined, form: "leaf" });
  });

  test("bears 60 levels and more", () => {
    let value: Json = "deep";
    for (let level = 0; level < 1500; level += 1) value = { in: value };
    const nodes = visibleNodes(treeOf(value), ALL);
    expect(nodes).toHaveLength(1500);
    expect(nodes.at(-1)?.value).toBe("deep");
  });

  test("keeps its nodes: what is folded and unfolded is not made anew", () => {
    const tree = treeOf(Array.from({ length: 5000 }, (_, index) => ({ index })));
    expect(visibleNodes(tree, ALL)[1]).toBe(tree.children(visibleNodes(tree, NONE)[0] ?? tree.root)[0]);
  });

  test("writes paths as they are typed elsewhere", () => {
    expect(formatPath(["a", 0, "odd name", "b"])).toBe('a[0]["odd name"].b');
    expect(formatPath([1, "x\u202Ey"])).toBe('[1]["x‹U+202E›y"]');
  });

  test("keeps folded what says as much folded", () => {
    const tree = treeOf({ decoded: { supply: { type: "u64", data: 7 }, more: { a: 1, b: 2, c: 3 } } });
    expect(labels(visibleNodes(tree, INITIAL_FOLDS))).toEqual(["decoded", " supply", " more", "  a", "  b", "  c"]);
  });

  test("opens by itself no level that is deep", () => {
    const nodes = visibleNodes(treeOf({ a: { b: { c: { d: { e: [] } } } } }), INITIAL_FOLDS);
    expect(nodes.map((node) => isOpen(INITIAL_FOLDS, node))).toEqual([true, true, true, false]);
  });
});
