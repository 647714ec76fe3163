/** A value as a tree of fields that fold. Children are created on first use. No React here. */
import { isArray, isObject, type Json, type JsonObject } from "../../../base/index.ts";
import type { Kind, Shape } from "../../../catalogue/index.ts";
import { fieldNames, fieldWords, omitRedundant, type Path, safeText, textWidth } from "../../../output/index.ts";
import { kindOfValue } from "../cells.ts";

/** A field, or an item of a list. */
export interface ValueNode {
  /** The path: stable across answers, so that folds and the cursor survive a refresh. */
  readonly id: string;
  readonly parent: ValueNode | undefined;
  /** The level; fields of the top level have 0. */
  readonly depth: number;
  readonly name: string | number;
  readonly label: string;
  /** Width of the longest label among the siblings, in cells. */
  readonly labelWidth: number;
  /** Undefined for a required field that is missing. */
  readonly value: Json | undefined;
  /** The nearest enclosing object. */
  readonly holder: Json | undefined;
  readonly shape: Shape;
  /** The name of the nearest field: for items that of their list. */
  readonly field: string;
  /** How it unfolds; leaves do not. */
  readonly form: "leaf" | "object" | "list";
}

/** A value as a tree, created lazily. */
export interface ValueTree {
  /** Parent of the top-level fields; not displayed unless the value is a leaf. */
  readonly root: ValueNode;
  children(node: ValueNode): readonly ValueNode[];
}

/** What is folded: choices for single nodes, then for all nodes, then by size. */
export interface FoldState {
  readonly all: boolean | undefined;
  /** Whether a node is open, by id. */
  readonly chosen: ReadonlyMap<string, boolean>;
}

/** The initial state. */
export const INITIAL_FOLDS: FoldState = { all: undefined, chosen: new Map() };

/** Creates the tree of a value. */
export function createValueTree(value: Json, shape: Shape): ValueTree {
  const cache = new WeakMap<ValueNode, readonly ValueNode[]>();
  return {
    root: {
      id: "",
      parent: undefined,
      depth: -1,
      name: "",
      label: "",
      labelWidth: 0,
      value,
      holder: undefined,
      shape: memoizeFields(shape),
      field: "",
      form: formOf(value),
    },
    children(node) {
      const known = cache.get(node) ?? childrenOf(node);
      cache.set(node, known);
      return known;
    },
  };
}

/** Returns a shape that computes each of its fields once: a list may have thousands of items of it. */
function memoizeFields(shape: Shape): Shape {
  const known = new Map<string, Shape>();
  return {
    ...shape,
    field(name) {
      const field = known.get(name) ?? memoizeFields(shape.field(name));
      known.set(name, field);
      return field;
    },
  };
}

function formOf(value: Json | undefined): ValueNode["form"] {
  if (isArray(value)) return value.length > 1 || value.some(isBranch) ? "list" : "leaf";
  return isObject(value) && Object.keys(value).length > 0 ? "object" : "leaf";
}

function isBranch(value: Json): boolean {
  return isArray(value) || isObject(value);
}

function childrenOf(node: ValueNode): readonly ValueNode[] {
  if (node.form === "list" && isArray(node.value)) return itemsOf(node, node.value);
  return node.form === "object" && isObject(node.value) ? fieldsOf(node, node.value) : [];
}

function itemsOf(list: ValueNode, items: readonly Json[]): readonly ValueNode[] {
  const labelWidth = indexLabel(items.length - 1).length;
  return items.map((value, index) => ({
    id: `${list.id}/${index}`,
    parent: list,
    depth: list.depth + 1,
    name: index,
    label: indexLabel(index),
    labelWidth,
    value,
    // Decimals of amounts in a list of amounts are siblings of the list.
    holder: list.holder,
    shape: list.shape,
    field: list.field,
    form: formOf(value),
  }));
}

const indexLabel = (index: number) => `[${index}]`;

function fieldsOf(object: ValueNode, value: JsonObject): readonly ValueNode[] {
  const names = visibleNames(value, object.shape);
  const labels = names.map((name) => labelOfField(name, object.shape));
  const labelWidth = labels.reduce((most, label) => Math.max(most, textWidth(label)), 0);
  const nodes = names.map((name, index): ValueNode => {
    const inner = Object.hasOwn(value, name) ? value[name] : undefined;
    return {
      id: `${object.id}/${escapeName(name)}`,
      parent: object,
      depth: object.depth + 1,
      name,
      label: labels[index] ?? "",
      labelWidth,
      value: inner,
      holder: value,
      shape: object.shape.field(name),
      field: name,
      form: formOf(inner),
    };
  });
  // The order of undescribed fields may be significant, as in a byte layout.
  if (object.shape.open) return nodes;
  return [...nodes.filter(({ form }) => form === "leaf"), ...nodes.filter(({ form }) => form !== "leaf")];
}

/** Whether two fields read alike must not depend on the current time. */
const FIXED_CLOCK = { style: "iso", now: 0 } as const;

/** Returns the names of fields that are present or required, without those that repeat a sibling. */
function visibleNames(value: JsonObject, shape: Shape): readonly string[] {
  const twins = new Set(Object.keys(value).map((name) => `${name}_str`));
  const names = fieldNames(shape, [value]).filter(
    (name) => !twins.has(name) && (Object.hasOwn(value, name) || shape.required.includes(name)),
  );
  return omitRedundant(names, shape, [value], FIXED_CLOCK);
}

/** Returns the name of a described field in plain words; undescribed names stay as they are. */
function labelOfField(name: string, shape: Shape): string {
  if (!shape.fields.includes(name)) return safeText(name);
  const { meta } = shape.field(name);
  if (meta?.label !== undefined) return meta.label;
  return fieldWords(name);
}

const escapeName = (name: string) => name.replaceAll("~", "~0").replaceAll("/", "~1");

/** Objects with more fields and lists with more items start folded. */
const MAX_OPEN_FIELDS = 14;
const MAX_OPEN_ITEMS = 6;
const OPEN_LEVELS = 3;

/** Returns whether the children of a node are visible. */
export function isOpen(folds: FoldState, node: ValueNode): boolean {
  if (node.form === "leaf") return false;
  return folds.chosen.get(node.id) ?? folds.all ?? opensByDefault(node);
}

/** A nested, undescribed object of at most this many scalars says as much folded as open: `u64 · data 7`. */
const MAX_SUMMARY_FIELDS = 2;

/** Short objects and lists start open; items of a list only when there is no other. */
function opensByDefault({ depth, form, value, parent, shape }: ValueNode): boolean {
  if (depth < 0) return true;
  if (depth >= OPEN_LEVELS) return false;
  if (form === "list") return depth === 0 && isArray(value) && value.length <= MAX_OPEN_ITEMS;
  const isOnly = parent?.form !== "list" || (isArray(parent.value) && parent.value.length === 1);
  if (!isOnly || !isObject(value)) return false;
  const values = Object.values(value);
  const isSummary = depth > 0 && shape.open && values.length <= MAX_SUMMARY_FIELDS && !values.some(isBranch);
  return values.length <= MAX_OPEN_FIELDS && !isSummary;
}

/** Returns the visible nodes from the top. */
export function visibleNodes(tree: ValueTree, folds: FoldState): readonly ValueNode[] {
  if (tree.root.form === "leaf") return [tree.root];
  const nodes: ValueNode[] = [];
  const add = (node: ValueNode) => {
    nodes.push(node);
    if (isOpen(folds, node)) for (const child of tree.children(node)) add(child);
  };
  for (const child of tree.children(tree.root)) add(child);
  return nodes;
}

/** Returns the node with an id, visible or not; undefined when there is none. */
export function findNode(tree: ValueTree, id: string): ValueNode | undefined {
  if (id === "") return tree.root.form === "leaf" ? tree.root : undefined;
  let node: ValueNode | undefined = tree.root;
  let at = "";
  for (const step of id.split("/").slice(1)) {
    at += `/${step}`;
    const children: readonly ValueNode[] = node ? tree.children(node) : [];
    node = node?.form === "list" ? children[Number(step)] : children.find((child) => child.id === at);
  }
  return node;
}

/** Returns the ancestors of a node without the root, the nearest first. */
export function ancestors(node: ValueNode): readonly ValueNode[] {
  const above: ValueNode[] = [];
  for (let one = node.parent; one !== undefined && one.depth >= 0; one = one.parent) above.push(one);
  return above;
}

/** Returns the path of a node. */
export function nodePath(node: ValueNode): Path {
  return node.depth < 0 ? [] : [...ancestors(node).toReversed(), node].map(({ name }) => name);
}

/** Returns the kind of a value: that of the catalogue, otherwise the one its format suggests. */
export function nodeKind({ shape, value }: ValueNode): Kind | undefined {
  return kindOfValue(singleValue(value), shape.meta) ?? shape.meta?.kind;
}

/** Returns the scalar of a leaf: of a list with one item, that item. */
export function singleValue(value: Json | undefined): Json | undefined {
  return isArray(value) && value.length === 1 ? value[0] : value;
}

/** Opens or folds nodes. */
export function withFolds(folds: FoldState, nodes: readonly ValueNode[], open: boolean): FoldState {
  const changed = nodes.filter((node) => node.form !== "leaf" && isOpen(folds, node) !== open);
  if (changed.length === 0) return folds;
  const chosen = new Map(folds.chosen);
  for (const { id } of changed) chosen.set(id, open);
  return { ...folds, chosen };
}
