/** A value as a tree of fields that fold. Children are made when they are first looked at. No React here. */
import { isArray, isObject, type Json, type JsonObject } from "../../../base/json.ts";
import type { Kind } from "../../../catalogue/kinds.ts";
import { isAddress, isSignature } from "../../../catalogue/validate.ts";
import { fieldNames, omitRedundant, type Path, type Shape, safeText, textWidth } from "../../../output/index.ts";

/** A field, or an item of a list. */
export interface ValueNode {
  /** Where it is: the same in every answer, so that what is folded and looked at survives a refresh. */
  readonly id: string;
  readonly parent: ValueNode | undefined;
  /** Levels below the top, whose fields have 0. */
  readonly depth: number;
  readonly name: string | number;
  /** The name as people read it. */
  readonly label: string;
  /** Cells of the widest label beside it. */
  readonly labelWidth: number;
  /** Undefined for a field that should be there and is not. */
  readonly value: Json | undefined;
  /** The nearest object that it is in. */
  readonly holder: Json | undefined;
  readonly shape: Shape;
  /** The name of the nearest field: for items that of their list. */
  readonly field: string;
  /** What it unfolds to; leaves stand on their own. */
  readonly form: "leaf" | "object" | "list";
}

/** A value, unfolded as far as anybody looked. */
export interface ValueTree {
  /** Stands above the first fields and is not shown, except for a value without any. */
  readonly root: ValueNode;
  children(node: ValueNode): readonly ValueNode[];
}

/** What is folded: what the user folded or unfolded, else everything or nothing, else what is too much at once. */
export interface FoldState {
  readonly all: boolean | undefined;
  /** Whether it is open, by id. */
  readonly chosen: ReadonlyMap<string, boolean>;
}

/** As it is when one comes. */
export const INITIAL_FOLDS: FoldState = { all: undefined, chosen: new Map() };

/** The tree of a value. */
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

/** A form that works out each of its fields once: a list may have thousands of items of it. */
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
    // Decimals of amounts in a list of amounts stand beside the list.
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
  // The order of what nobody has described may mean something, as in a layout of bytes.
  if (object.shape.open) return nodes;
  return [...nodes.filter(({ form }) => form === "leaf"), ...nodes.filter(({ form }) => form !== "leaf")];
}

/** Whether fields read alike does not hang on the present. */
const FIXED_CLOCK = { style: "iso", now: 0 } as const;

/** The fields that say something: those that are there or should be, without what repeats a sibling. */
function visibleNames(value: JsonObject, shape: Shape): readonly string[] {
  const twins = new Set(Object.keys(value).map((name) => `${name}_str`));
  const names = fieldNames(shape, [value]).filter(
    (name) => !twins.has(name) && (Object.hasOwn(value, name) || shape.required.includes(name)),
  );
  return omitRedundant(names, shape, [value], FIXED_CLOCK);
}

/** `block_time` is `block time` and `blockHeight` `block height`; names that nobody has described stay as they are. */
function labelOfField(name: string, shape: Shape): string {
  if (!shape.fields.includes(name)) return safeText(name);
  return name.replaceAll("_", " ").replace(/([a-z\d])([A-Z])/g, (_, end, start) => `${end} ${start.toLowerCase()}`);
}

const escapeName = (name: string) => name.replaceAll("~", "~0").replaceAll("/", "~1");

/** Objects with more fields, and lists with more items, wait to be unfolded. */
const MAX_OPEN_FIELDS = 14;
const MAX_OPEN_ITEMS = 6;
/** Levels that are open at first. */
const OPEN_LEVELS = 3;

/** Whether what is inside a node is shown. */
export function isOpen(folds: FoldState, node: ValueNode): boolean {
  if (node.form === "leaf") return false;
  return folds.chosen.get(node.id) ?? folds.all ?? opensByDefault(node);
}

/** A nested object of no more fields, plain and described by nobody, says as much folded as open: `u64 · data 7`. */
const MAX_SUMMARY_FIELDS = 2;

/** Short objects and lists do; items of lists only where there is no other. */
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

/** The nodes on view, from the top. */
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

/** The node of an id, whether or not it is on view; undefined where there is none. */
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

/** The nodes above a node, the nearest first; the root is none. */
export function ancestors(node: ValueNode): readonly ValueNode[] {
  const above: ValueNode[] = [];
  for (let one = node.parent; one !== undefined && one.depth >= 0; one = one.parent) above.push(one);
  return above;
}

/** The path of a node. */
export function nodePath(node: ValueNode): Path {
  return node.depth < 0 ? [] : [...ancestors(node).toReversed(), node].map(({ name }) => name);
}

/** A path as `--fields` and jq take it: `a.b[0]["odd name"]`. */
export function formatPath(path: Path): string {
  const text = path.map((step) => {
    if (typeof step === "number") return `[${step}]`;
    return /^[A-Za-z_]\w*$/.test(step) ? `.${step}` : `[${JSON.stringify(step)}]`;
  });
  return safeText(text.join("").replace(/^\./, ""));
}

/** The kind of a value: the catalogue's, or what it looks like where nobody has described it. */
export function nodeKind({ shape, value }: ValueNode): Kind | undefined {
  const kind = shape.meta?.kind;
  const plain = singleValue(value);
  if ((kind !== undefined && kind !== "json") || typeof plain !== "string") return kind;
  if (isAddress(plain)) return "address";
  return isSignature(plain) ? "signature" : kind;
}

/** The plain value of a leaf: of a list of one, that one. */
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
