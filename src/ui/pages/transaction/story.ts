/** What happened in a transaction: the flow of values, fees and tips, and what changed for each owner. */
import {
  countOf,
  type Decimal,
  decimalText,
  fieldOf,
  type Json,
  listOf,
  subtractDecimals,
  textOf,
  toDecimal,
} from "../../../base/index.ts";
import { NATIVE_SOL, WRAPPED_SOL } from "../../../catalogue/index.ts";
import { alignNumber, measureNumbers, SOL_DECIMALS, safeText, truncateMiddle } from "../../../output/index.ts";
import { lineWidth, span, type TextLine } from "../../navigation/theme/text-line.ts";
import type { LinkSpan, TreeRow } from "../../widgets/tree/rows.ts";
import { alignCells, headingRow, joinSections, noteRow, titledRows } from "../entity/rows.ts";
import { type BalanceChange, balanceChanges } from "./balances.ts";
import { hasFailed } from "./calls.ts";
import { allInstructions, attemptedTransfers, type Charge, type FlowStep, transactionFlow } from "./flow.ts";
import { isDollar, type TransactionFormatter } from "./formatter.ts";
import { drawBranches } from "./instructions.ts";
import { limitRows } from "./limits.ts";
import { stepKind, stepLine, toStep } from "./steps.ts";
import { versionOf } from "./summary.ts";

interface StoryInput {
  readonly detail: Json | undefined;
  /** Undefined while loading or unavailable. */
  readonly actions: Json | undefined;
}

/** Returns what happened; of a failed transaction, what it attempted. */
export function storyRows(input: StoryInput, formatter: TransactionFormatter): readonly TreeRow[] {
  const { detail, actions } = input;
  const failed = hasFailed(detail) === true;
  const flow = transactionFlow(detail, actions);
  return joinSections([
    failed
      ? titledRows("Rolled back", attemptedRows(detail, formatter))
      : titledRows("Value flow", [...flowRows(flow.steps, input, formatter), ...limitRows(detail, formatter)]),
    titledRows("Memo", memoRows(detail)),
    titledRows("Fees", feeRows(detail, failed ? [] : flow.charges, formatter)),
    titledRows("Balance changes", changeRows(detail, formatter)),
    titledRows(ABOUT, aboutRows(detail, formatter)),
  ]);
}

const ABOUT = "Details";

/** Returns whether a row of a story is about the transaction itself, which lists of transactions have anyway. */
export const isAboutRow = ({ key }: TreeRow): boolean => key === headingRow(ABOUT).key || key.startsWith("about ");

/** Returns the steps with what they consist of below them. */
function flowRows(steps: readonly FlowStep[], { actions, detail }: StoryInput, formatter: TransactionFormatter) {
  const signers = new Set(listOf(fieldOf(detail, "signer")).map(textOf));
  const lines = stepLines(steps, 0, formatter);
  const branches = drawBranches(lines.map(({ depth }) => depth));
  if (lines.length > 0) {
    return lines.map(({ value, line }, at) => ({
      key: `flow ${at}`,
      line: [span(branches[at] ?? "", "frame"), ...line],
      row: value,
      target: findSubject(line, signers),
    }));
  }
  const purpose = fieldOf(actions, "one_line_summary");
  if (purpose === undefined) return [noteRow("nothing", "No transfers and no trades.")];
  return [{ key: "purpose", line: stepLine(toStep(purpose), formatter), row: purpose }];
}

/** The line of a step, and how many steps it is part of. */
interface StepLine {
  readonly value: Json;
  readonly line: readonly LinkSpan[];
  readonly depth: number;
}

/** Returns the lines of steps with those of their parts; the amounts of transfers below each other are aligned. */
function stepLines(steps: readonly FlowStep[], depth: number, formatter: TransactionFormatter): readonly StepLine[] {
  const lines = steps.map(({ step }) => stepLine(step, formatter));
  const isTransfer = (at: number) => stepKind(steps[at]?.step.type) === "transfer";
  const aligned = alignTransfers(lines.map((line, at) => (isTransfer(at) ? line : undefined)));
  return steps.flatMap(({ value, children }, at) => [
    { value, line: aligned[at] ?? lines[at] ?? [], depth },
    ...stepLines(children, depth + 1, formatter),
  ]);
}

const ARROW = " → ";

/** Aligns the senders and the amounts of transfers (`who → amount → whom`); undefined for other lines. */
function alignTransfers(lines: readonly (readonly LinkSpan[] | undefined)[]) {
  const parts = lines.map((line) => {
    const arrows = line?.flatMap(({ text }, at) => (text === ARROW ? [at] : [])) ?? [];
    const [first, second] = arrows;
    if (!line || first === undefined || second === undefined) return undefined;
    return { from: line.slice(0, first), amount: line.slice(first + 1, second), to: line.slice(second + 1) };
  });
  const widest = (part: "from" | "amount") => Math.max(0, ...parts.map((one) => (one ? lineWidth(one[part]) : 0)));
  const [from, amount] = [widest("from"), widest("amount")];
  const space = (width: number) => span(" ".repeat(Math.max(0, width)));
  return parts.map(
    (one) =>
      one && [
        ...one.from,
        space(from - lineWidth(one.from)),
        span(ARROW, "note"),
        space(amount - lineWidth(one.amount)),
        ...one.amount,
        span(ARROW, "note"),
        ...one.to,
      ],
  );
}

/** Returns what a line is about: its first link to something else than a signer, SOL or dollars. */
function findSubject(line: readonly LinkSpan[], signers: ReadonlySet<string | undefined>) {
  const targets = line.flatMap(({ target }) => (target?.kind === "entity" ? [target] : []));
  return targets.find(({ id }) => !signers.has(id) && id !== WRAPPED_SOL && !isDollar(id)) ?? targets[0];
}

function attemptedRows(detail: Json | undefined, formatter: TransactionFormatter): readonly TreeRow[] {
  const lines = attemptedTransfers(detail).map((value) => ({ value, line: stepLine(toStep(value), formatter) }));
  const aligned = alignTransfers(lines.map(({ line }) => line));
  return lines.map(({ value, line }, at) => ({
    key: `attempt ${at}`,
    line: (aligned[at] ?? line).map((one) => ({ ...one, role: "note" as const })),
    row: value,
  }));
}

const LABEL_WIDTH = 10;
const label = (text: string): LinkSpan => span(text.padEnd(LABEL_WIDTH), "key");

function feeRows(
  detail: Json | undefined,
  charges: readonly Charge[],
  formatter: TransactionFormatter,
): readonly TreeRow[] {
  const [fee, priority] = [toDecimal(fieldOf(detail, "fee")), toDecimal(fieldOf(detail, "priority_fee"))];
  const sol = (value: Json) => formatter.money(value, NATIVE_SOL, SOL_DECIMALS);
  const parts: Readonly<Record<string, Decimal | undefined>> =
    fee && priority && priority.digits !== 0n ? { base: subtractDecimals(fee, priority), priority } : { network: fee };
  const amounts = Object.entries(parts).flatMap(([name, value]): readonly TreeRow[] =>
    value === undefined ? [] : [{ key: `fee ${name}`, line: [label(name), ...sol(decimalText(value))] }],
  );
  return [...amounts, ...charges.map((charge, at) => chargeRow(charge, `charge ${at}`, formatter))];
}

/** The other side of a charge, by its kind: who receives it, or which account it is for. */
const CHARGE_FIELDS: Readonly<Record<Charge["kind"], readonly string[]>> = {
  tip: ["destination"],
  rent: ["new_account", "destination"],
  refund: ["destination_owner", "destination"],
};

function chargeRow({ kind, value, step }: Charge, key: string, formatter: TransactionFormatter): TreeRow {
  const { data } = step;
  const amounts = ["init_amount_str", "init_amount", "amount_str", "amount"].map((name) => fieldOf(data, name));
  const amount = amounts.find((one) => one !== undefined);
  const other = CHARGE_FIELDS[kind].find((name) => textOf(fieldOf(data, name)) !== undefined);
  const link = other === undefined ? undefined : formatter.address(fieldOf(data, other), other);
  return {
    key,
    row: value,
    line: [
      label(kind),
      ...(amount === undefined ? [] : formatter.money(amount, NATIVE_SOL, SOL_DECIMALS)),
      ...(link === undefined ? [] : [span(ARROW, "note"), link]),
    ],
  };
}

/** Returns the net changes by owner, the signers first; the points of amounts are aligned. */
function changeRows(detail: Json | undefined, formatter: TransactionFormatter): readonly TreeRow[] {
  const signers = listOf(fieldOf(detail, "signer")).map(textOf);
  const rank = ({ owner }: BalanceChange) => (signers.includes(owner) ? signers.indexOf(owner) : signers.length);
  const changes = balanceChanges(detail, formatter).toSorted((a, b) => rank(a) - rank(b));
  const amounts = alignPoints(changes.map(({ change }) => change));
  const worth = alignPoints(
    changes.map(({ usd = "", isLoss }) => (usd === "" || isLoss || usd.startsWith("<") ? usd : `+${usd}`)),
  );
  const cells = changes.map(({ owner, isLoss, token }, at) => [
    changes[at - 1]?.owner === owner ? span("") : formatter.address(owner, "owner"),
    span(amounts[at] ?? "", isLoss ? "bad" : "good"),
    token,
    span(worth[at] ?? "", "note"),
  ]);
  const { lines } = alignCells(cells, (column) => column === 1 || column === 3);
  return changes.map(({ key, row }, at) => ({ key: `change ${key}`, row, line: lines[at] ?? [] }));
}

/** Pads numbers so that their points are below each other. */
export function alignPoints(numbers: readonly string[]): readonly string[] {
  const cells = numbers.map((text) => ({ text, numeric: true as const }));
  const widths = measureNumbers(cells);
  return cells.map((cell) => alignNumber(cell, widths).text);
}

const MAX_MEMO = 2000;

/** Returns the memos of a transaction, at any call depth, as safe text. */
function memoRows(detail: Json | undefined): readonly TreeRow[] {
  const memos = allInstructions(detail).flatMap((one) => {
    if (!/memo/i.test(textOf(fieldOf(one, "program")) ?? "")) return [];
    const raw = fieldOf(one, "data_raw");
    const info = fieldOf(raw, "info");
    return textOf(fieldOf(info, "memo")) ?? textOf(info) ?? textOf(raw) ?? [];
  });
  return memos.map((memo, at) => ({
    key: `memo ${at}`,
    line: () => [span(`“${safeText(memo.slice(0, MAX_MEMO))}${memo.length > MAX_MEMO ? "…" : ""}”`)],
    cell: { field: "memo", value: memo, kind: "text" },
  }));
}

const MAX_LINKS = 40;

function aboutRows(detail: Json | undefined, formatter: TransactionFormatter): readonly TreeRow[] {
  const slot = countOf(fieldOf(detail, "block_id"));
  const version = versionOf(detail);
  const links = (name: string, format: (id: Json) => LinkSpan) =>
    listOf(fieldOf(detail, name))
      .slice(0, MAX_LINKS)
      .flatMap((id, at) => [...(at === 0 ? [] : [span(", ")]), format(id)]);
  const signers = (isWhole: boolean) => links("signer", (id) => formatter.address(id, "signer", { isWhole }));
  const blockOf = (id: string): LinkSpan => ({
    text: id,
    role: "block",
    target: { kind: "entity", entity: "block", id },
  });
  const rows: readonly (readonly [name: string, links: TextLine, whole?: TextLine])[] = [
    ["block", slot === undefined ? [] : [blockOf(`${slot}`)]],
    ["signers", signers(false), signers(true)],
    ["programs", links("programs_involved", formatter.program)],
    ["version", version === undefined ? [] : [span(version)]],
    ["tokens", links("tokens_involved", formatter.token)],
  ];
  return [
    ...signatureRows(textOf(fieldOf(detail, "tx_hash"))),
    ...rows
      .filter(([, line]) => line.length > 0)
      .map(([name, line, whole = line]) => ({
        key: `about ${name}`,
        line: (width: number) => [label(name), ...(LABEL_WIDTH + lineWidth(whole) <= width ? whole : line)],
      })),
  ];
}

function signatureRows(value: string | undefined): readonly TreeRow[] {
  if (value === undefined) return [];
  const cell = { field: "tx_hash", value, kind: "signature" as const };
  const line = (width: number) => [
    label("signature"),
    { text: truncateMiddle(safeText(value), Math.max(9, width - LABEL_WIDTH)), cell },
  ];
  return [{ key: "about signature", line }];
}
