/** What happened in a transaction, in sentences: its purpose, the balance changes of its signers and its steps. */
import { isObject, type Json, stringifyJson } from "../../../base/index.ts";
import { safeText } from "../../../output/index.ts";
import { span } from "../../app/theme/text-line.ts";
import type { LinkSpan, TreeRow } from "../../widgets/tree/rows.ts";
import { countOf, fieldOf, listOf, textOf } from "../entity/json-fields.ts";
import { balanceChanges } from "./balances.ts";
import { failedInstruction } from "./failure.ts";
import type { TransactionFormatter } from "./formatter.ts";
import { sentence } from "./sentence.ts";
import { stepKind, stepLine, stepOf, type TransactionStep } from "./steps.ts";

/** Maximum number of characters of a memo. */
const MAX_MEMO = 2000;

/** Returns the memos of a transaction, at any call depth. */
function memosOf(detail: Json | undefined): readonly string[] {
  const memos: string[] = [];
  const queue = [...listOf(fieldOf(detail, "parsed_instructions"))].reverse();
  for (let one = queue.pop(); one !== undefined; one = queue.pop()) {
    queue.push(...[...listOf(fieldOf(one, "inner_instructions"))].reverse());
    if (!/memo/i.test(textOf(fieldOf(one, "program")) ?? "")) continue;
    const raw = fieldOf(one, "data_raw");
    const info = fieldOf(raw, "info");
    const memo = textOf(fieldOf(info, "memo")) ?? textOf(info) ?? textOf(raw);
    if (memo !== undefined) memos.push(memo);
  }
  return memos;
}

/** Returns the memos as rows of safe text. */
function memoRows(detail: Json | undefined): readonly TreeRow[] {
  return memosOf(detail).map((memo, at) => ({
    key: `memo ${at}`,
    line: () => [span(`“${safeText(memo.slice(0, MAX_MEMO))}${memo.length > MAX_MEMO ? "…" : ""}”`)],
    cell: { field: "memo", value: memo, kind: "text" },
  }));
}

/** The input of the overview. */
export interface OverviewInput {
  /** `data` of transaction details. */
  readonly detail: Json | undefined;
  /** `data` of transaction actions; undefined while loading or unavailable. */
  readonly actions: Json | undefined;
  /** Why the transaction failed; undefined for success. */
  readonly failure: string | undefined;
}

/** Returns the rows of the overview. */
export function overviewRows(input: OverviewInput, formatter: TransactionFormatter): readonly TreeRow[] {
  const failed = input.failure !== undefined;
  const steps = failed ? attemptedRows(input.detail, formatter) : stepRows(input, formatter);
  const parts = [
    section("head", failed ? undefined : headRows(input, formatter)),
    section("memos", memoRows(input.detail), "Memo"),
    section(
      "changed",
      changeRows(input, formatter),
      failed ? "Charged despite the failure" : "Balance changes of the signer",
    ),
    section("steps", steps, failed ? "Attempted, then rolled back" : "Steps"),
    section("around", relatedRows(input.detail, formatter), "Related"),
  ].filter((rows) => rows.length > 0);
  return parts.flatMap((rows, at) => (at === 0 ? rows : [blank(`blank ${at}`), ...rows]));
}

const blank = (key: string): TreeRow => ({ key, line: [], isStatic: true });

function section(key: string, rows: readonly TreeRow[] | undefined, title?: string): readonly TreeRow[] {
  if (!rows || rows.length === 0) return [];
  const heading: TreeRow[] =
    title === undefined ? [] : [{ key: `heading ${key}`, line: [span(title, "heading")], isStatic: true }];
  return [...heading, ...rows];
}

/** Returns the purpose of the transaction. */
function headRows({ actions }: OverviewInput, formatter: TransactionFormatter): readonly TreeRow[] {
  const line = fieldOf(actions, "one_line_summary");
  if (line === undefined) return [];
  return [{ key: "line", line: stepLine(stepOf(line), formatter).map(emphasize), row: line }];
}

const emphasize = (one: LinkSpan): LinkSpan => (one.role === undefined ? { ...one, role: "title" } : one);

/** Returns the balance changes of the signers. */
function changeRows({ detail }: OverviewInput, formatter: TransactionFormatter): readonly TreeRow[] {
  const signers = listOf(fieldOf(detail, "signer")).map(textOf);
  const changes = balanceChanges(detail, formatter).filter(({ owner }) => signers.includes(owner));
  const width = Math.max(0, ...changes.map(({ change }) => change.length));
  let before: string | undefined;
  return changes.map((each) => {
    const repeated = each.owner === before;
    before = each.owner;
    const name = formatter.address(each.owner, "owner");
    return {
      key: `change ${each.key}`,
      row: each.row,
      line: [
        repeated ? span(" ".repeat(name.text.length)) : name,
        span("  "),
        span(each.change.padStart(width), each.isLoss ? "bad" : "good"),
        span(" "),
        each.token,
      ],
    };
  });
}

/**
 * Returns the steps in groups, one per top-level instruction; without actions, the activities and transfers of the
 * details.
 */
function stepRows({ detail, actions }: OverviewInput, formatter: TransactionFormatter): readonly TreeRow[] {
  const groups = listOf(fieldOf(actions, "summaries"));
  if (groups.length > 0) return groups.map((group, at) => groupRow(group, `${at + 1}`, formatter));
  const source = actions ?? detail;
  const all = [...listOf(fieldOf(source, "activities")), ...listOf(fieldOf(source, "transfers"))];
  const rows = all.map((value, at) => stepRow(value, `step ${at}`, formatter));
  return rows.length > 0 ? rows : [{ key: "nothing", line: [span("No transfers and no trades.", "note")] }];
}

/** Returns the attempted instructions, and which of them failed; those after it were not executed. */
function attemptedRows(detail: Json | undefined, formatter: TransactionFormatter): readonly TreeRow[] {
  const failed = failedInstruction(detail);
  return listOf(fieldOf(detail, "parsed_instructions")).map((value, at) => {
    const line = sentence("called {program}[: {type}]", (name) => {
      const type = textOf(fieldOf(value, "type")) ?? textOf(fieldOf(value, "parsed_type"));
      if (name === "program") return [formatter.program(fieldOf(value, "program_id"))];
      return type === undefined ? undefined : [formatter.text(type)];
    });
    const mark =
      at === failed
        ? [span(", failed", "bad")]
        : failed !== undefined && at > failed
          ? [span(", not executed", "note")]
          : [];
    return { key: `tried ${at}`, line: [span(`${at + 1}. `, "key"), ...line, ...mark], row: value };
  });
}

/** Returns the entities that the transaction refers to. */
function relatedRows(detail: Json | undefined, formatter: TransactionFormatter): readonly TreeRow[] {
  const row = (label: string, links: readonly LinkSpan[]): TreeRow => ({
    key: `around ${label}`,
    line: [
      span(label.padEnd(LABEL_WIDTH), "key"),
      ...links.flatMap((link, at) => (at === 0 ? [link] : [span(", "), link])),
    ],
  });
  const signature = textOf(fieldOf(detail, "tx_hash"));
  const slot = countOf(fieldOf(detail, "block_id"));
  const all = (name: string) => listOf(fieldOf(detail, name)).slice(0, MAX_RELATED);
  return [
    row("signature", signature === undefined ? [] : [signatureSpan(signature)]),
    row("block", slot === undefined ? [] : [slotSpan(slot)]),
    row(
      "signers",
      all("signer").map((id) => formatter.address(id, "signer")),
    ),
    row(
      "programs",
      all("programs_involved").map((id) => formatter.program(id)),
    ),
    row(
      "tokens",
      all("tokens_involved").map((id) => formatter.token(id)),
    ),
  ].filter(({ line }) => line.length > 1);
}

const LABEL_WIDTH = 10;
const MAX_RELATED = 40;

const signatureSpan = (value: string): LinkSpan => ({
  text: safeText(value),
  cell: { field: "tx_hash", value, kind: "signature" },
});

const slotSpan = (slot: number): LinkSpan => ({
  text: `${slot}`,
  role: "link",
  target: { kind: "entity", entity: "block", id: `${slot}` },
});

/** Kinds of steps without information beside the others. */
const HIDDEN_KINDS = new Set(["common", "computeunitlimit", "computeunitprice"]);

function groupRow(group: Json, number: string, formatter: TransactionFormatter): TreeRow {
  const title = fieldOf(group, "title");
  const known = new Set([title === undefined ? "" : stringifyJson(title)]);
  const routes = routesOf(title);
  const pools = new Set(routes.map((route) => fieldOf(route, "amm_id")));
  const body = listOf(fieldOf(group, "body")).filter((value) => {
    const step = stepOf(value);
    const isRoute = stepKind(step.type) === "tokenswap" && pools.has(fieldOf(step.data, "amm_id"));
    const json = stringifyJson(value);
    const isNew = !known.has(json) && !isRoute && !HIDDEN_KINDS.has(stepKind(step.type));
    return isNew;
  });
  const children = [
    ...routeRows(listOf(fieldOf(fieldOf(title, "data"), "routers")), `${number} route`, formatter),
    ...body.map((value, at) => stepRow(value, `${number} ${at}`, formatter)),
  ];
  return {
    key: `group ${number}`,
    line: [span(`${number}. `, "key"), ...(title === undefined ? [span("step")] : stepLine(stepOf(title), formatter))],
    row: group,
    ...(children.length > 0 && { children, isOpen: true }),
  };
}

function stepRow(value: Json, key: string, formatter: TransactionFormatter): TreeRow {
  const step: TransactionStep = stepOf(value);
  const routes = routeRows(listOf(fieldOf(step.data, "routers")), `${key} route`, formatter);
  return {
    key,
    line: stepLine(step, formatter),
    row: value,
    ...(routes.length > 0 && { children: routes, isOpen: true }),
  };
}

/** Returns all venues of a swap, nested ones included. */
function routesOf(title: Json | undefined): readonly Json[] {
  const memos: Json[] = [];
  const queue = [...listOf(fieldOf(fieldOf(title, "data"), "routers"))];
  for (let one = queue.shift(); one !== undefined; one = queue.shift()) {
    if (!isObject(one)) continue;
    memos.push(one);
    queue.push(...listOf(fieldOf(one, "child_routers")));
  }
  return memos;
}

/** Returns the venues of a swap in their order. */
function routeRows(routes: readonly Json[], key: string, formatter: TransactionFormatter): readonly TreeRow[] {
  return routes.map((route, at) => {
    const below = routeRows(listOf(fieldOf(route, "child_routers")), `${key} ${at}`, formatter);
    const step = { type: "route", program: fieldOf(route, "program_id"), data: route };
    return {
      key: `${key} ${at}`,
      line: stepLine(step, formatter),
      row: route,
      ...(below.length > 0 && { children: below, isOpen: true }),
    };
  });
}
