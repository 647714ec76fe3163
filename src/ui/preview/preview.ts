/** The preview of a row, by what it is about: the story of a transaction, a card of a token or an account, or its fields. */
import { fieldOf, isArray, isObject, type Json, type JsonObject, listOf, textOf, toNumber } from "../../base/index.ts";
import { type Cell, createNamer, formatUnix, formatValue, MISSING } from "../../output/index.ts";
import type { Size } from "../navigation/context.ts";
import { fitLine, lineWidth, type Span, span, type TextLine, textLine } from "../navigation/theme/text-line.ts";
import { failureOf } from "../pages/transaction/calls.ts";
import { createFormatter } from "../pages/transaction/formatter.ts";
import { stepLine, toStep } from "../pages/transaction/steps.ts";
import { isAboutRow, storyRows } from "../pages/transaction/story.ts";
import { failureLines } from "../pages/transaction/summary.ts";
import { answerObject, endpointAt } from "../widgets/cells.ts";
import { type DrawOptions, formatLeaf } from "../widgets/detail/format.ts";
import { chooseItemColumns, nodeLines } from "../widgets/detail/node-lines.ts";
import {
  createValueTree,
  type FoldState,
  nodePath,
  type ValueNode,
  visibleNodes,
} from "../widgets/detail/value-tree.ts";
import { trendLine } from "../widgets/list/columns.ts";
import type { PreviewFormat } from "../widgets/list/preview.ts";
import { actionText, failureReason } from "../widgets/transaction-cells.ts";
import { rowLine, visibleRows } from "../widgets/tree/rows.ts";

/** Returns the lines of a preview; the last one counts those that do not fit. */
export function previewLines(row: Json | undefined, format: PreviewFormat, size: Size): readonly TextLine[] {
  if (row === undefined || size.height <= 0) return [];
  const { head: plainHead, omitted } = headOf(row, format, size.width);
  const head = plainHead.map((line) => line.map((one): Span => ({ target: format.subject, ...one })));
  const fields = fieldLines(row, format, size.width, omitted);
  const gap: readonly TextLine[] = head.length > 0 && fields.length > 0 ? [[]] : [];
  const lines = [...head, ...gap, ...fields].map((line) => fitLine(line, size.width));
  if (lines.length <= size.height) return lines;
  const visible = lines.slice(0, size.height - 1);
  return [...visible, textLine(`${lines.length - visible.length} more lines`, "note")];
}

interface PreviewHead {
  readonly head: readonly TextLine[];
  readonly omitted: ReadonlySet<string>;
}

const NO_HEAD: PreviewHead = { head: [], omitted: new Set() };

function headOf(row: Json, format: PreviewFormat, width: number): PreviewHead {
  const { subject } = format;
  if (subject?.kind !== "entity" || !isObject(row)) return NO_HEAD;
  switch (subject.entity) {
    case "transaction":
      return transactionStory(row, subject.id, format, width);
    case "token":
      return tokenCard(row, subject.id, format);
    case "account":
    case "program":
    case "market":
      return accountCard(row, subject.id, subject.entity, format);
    default:
      return NO_HEAD;
  }
}

function firstCell(row: JsonObject, names: readonly string[], { shape, clock }: PreviewFormat): Cell | undefined {
  return names
    .map((name) => formatValue(row[name], shape.field(name).meta, row, clock))
    .find(({ text }) => text !== MISSING.text);
}

const PRICES = ["price", "price_usd", "priceUst"];
const CHANGES = ["price_24h_change", "price_change_24h", "price_24h_change_pct"];
const SYMBOLS = ["symbol", "token_symbol"];
const NAMES = ["name", "token_name"];
/** Cells of a day in the line of prices. */
const DAY_WIDTH = 3;

function tokenCard(row: JsonObject, mint: string, format: PreviewFormat): PreviewHead {
  const { data, unicode = true } = format;
  const [symbol, name] = [firstCell(row, SYMBOLS, format), firstCell(row, NAMES, format)];
  const title = symbol?.text ?? data?.nameOf(mint) ?? name?.text;
  const [price, change] = [firstCell(row, PRICES, format), firstCell(row, CHANGES, format)];
  const trend = data?.trends.of(mint) ?? [];
  const days = trend.flatMap((value) => Array.from({ length: DAY_WIDTH }, () => value));
  const titleRole = symbol?.warning || name?.warning ? "warning" : "token";
  const note = name === undefined || name.text === title ? "" : `  ${name.text}`;
  const lines: readonly TextLine[] = [
    ...(title === undefined ? [] : [[span(title, titleRole), span(note, "note")]]),
    [span(mint, "note")],
    ...(price ? [[span(price.text, "title"), ...(change ? [span("  "), span(change.text, change.role)] : [])]] : []),
    ...(trend.length > 1 ? [[...trendLine(days, days.length, unicode), span("  7d", "note")]] : []),
  ];
  return { head: lines, omitted: new Set([...SYMBOLS, ...NAMES, ...PRICES, ...CHANGES, ...fieldsWith(row, mint)]) };
}

function accountCard(
  row: JsonObject,
  id: string,
  role: "account" | "program" | "market",
  format: PreviewFormat,
): PreviewHead {
  const name = format.data?.nameOf(id);
  const cell = firstCell(row, ["value", "total_value", "total_values", "total_tvl"], format);
  return {
    head: [
      ...(name === undefined ? [] : [[span(name, role)]]),
      [span(id, name === undefined ? role : "note")],
      ...(cell ? [[span(cell.text, "title")]] : []),
    ],
    omitted: new Set(fieldsWith(row, id)),
  };
}

/** Returns the fields with an identifier, which the head of a card has. */
const fieldsWith = (row: JsonObject, id: string) => Object.keys(row).filter((name) => row[name] === id);

const DETAIL = endpointAt("/transaction/detail");
const ACTIONS = endpointAt("/transaction/actions");
const MAX_INSTRUCTIONS = 8;
/** The fields of a row that its story shows, and those that it shows of a trade. */
const STORY_FIELDS = ["status", "err", "parsed_instructions", "time"];
const TRADE_FIELDS = ["amount_info", "routers"];

/**
 * Returns the story of the transaction of a row: the whole one where its details were opened before, otherwise what the
 * row says. Nothing is requested.
 */
function transactionStory(row: JsonObject, id: string, format: PreviewFormat, width: number): PreviewHead {
  const [details, actions] = [DETAIL, ACTIONS].map((endpoint) => format.data?.read({ endpoint, params: { tx: id } }));
  const detail = details && answerObject(details);
  const metadata = fieldOf(details?.answer?.envelope, "metadata");
  const head = detail
    ? fullStory({ detail, actions: actions && answerObject(actions) }, metadata, format, width)
    : rowStory(row, format, width);
  return { head, omitted: new Set(stepOfRow(row) === undefined ? STORY_FIELDS : [...STORY_FIELDS, ...TRADE_FIELDS]) };
}

function fullStory(
  story: { readonly detail: Json; readonly actions: Json | undefined },
  metadata: Json | undefined,
  format: PreviewFormat,
  width: number,
): readonly TextLine[] {
  const { data, clock, unicode = true } = format;
  const { detail } = story;
  const formatter = createFormatter(detail, metadata, clock, { nameOf: data?.names.of });
  const rows = storyRows(story, formatter).filter((one) => !isAboutRow(one));
  return [
    ...outcomeLines(failureOf(detail, formatter), fieldOf(detail, "block_time"), format, width),
    [],
    ...visibleRows(rows, {}).map((one) => rowLine(one, width, unicode)),
  ];
}

/** Returns what a row itself says: outcome, time, and what was moved, or the instructions. */
function rowStory(row: JsonObject, format: PreviewFormat, width: number): readonly TextLine[] {
  const { clock, data } = format;
  const nameOf = data?.names.of ?? (() => undefined);
  const priceOf = (mint: string) => priceIn(row, mint);
  const formatter = createFormatter(undefined, undefined, clock, { nameOf: data?.names.of, priceOf });
  const step = stepOfRow(row);
  const instructions = listOf(row.parsed_instructions).slice(0, MAX_INSTRUCTIONS);
  const actions = instructions.map((one) => actionText(one, nameOf)).filter((text) => text !== undefined);
  return [
    ...outcomeLines(failureIn(row), row.block_time ?? row.blockTime, format, width),
    ...(step ? [stepLine(toStep(step), formatter)] : []),
    ...actions.map((text) => [span("· ", "note"), span(text)]),
  ];
}

/** Returns why the transaction of a row failed; rows without a status are about effects, which only successes have. */
function failureIn({ status, err, error }: JsonObject): string | undefined {
  const isSuccess =
    status === undefined || status === null || /^(success|1)$/i.test(String(toNumber(status) ?? status));
  if (isSuccess && (err === undefined || err === null)) return undefined;
  return failureReason(err ?? error) ?? "failed";
}

/** Returns the outcome with its age, the reason of a failure on as many lines as it needs. */
function outcomeLines(
  failure: string | undefined,
  time: Json | undefined,
  { clock, unicode = true }: PreviewFormat,
  width: number,
): readonly TextLine[] {
  const seconds = toNumber(time);
  const moment = seconds === undefined ? undefined : formatUnix(seconds, { ...clock, style: "relative" });
  const when = moment === undefined ? [] : [span(moment, "note")];
  const age = moment === undefined ? [] : [span("  "), ...when];
  if (failure === undefined) return [[span(`${unicode ? "✔ " : ""}success`, "good"), ...age]];
  const lines = failureLines(failure, width, unicode);
  const line = [...(lines[0] ?? []), ...age];
  return lines.length === 1 && lineWidth(line) <= width ? [line] : [...lines, when];
}

/** Returns the step that a row describes, in the form of details; undefined for rows of whole transactions. */
function stepOfRow(row: JsonObject): Json | undefined {
  const type = textOf(row.activity_type);
  const [trade] = [row.amount_info, row.routers].filter((one) => one !== undefined && isObject(one));
  if (trade !== undefined && isObject(trade)) {
    const program = [row.platform, row.sources].map((list) => (isArray(list ?? null) ? listOf(list)[0] : list));
    return {
      activity_type: type ?? "",
      program_id: program.find((one) => one !== undefined) ?? null,
      data: { account: row.from_address ?? null, ...sideOf(trade, 1), ...sideOf(trade, 2) },
    };
  }
  if (type?.startsWith("ACTIVITY_NFT_")) {
    return {
      activity_type: type,
      program_id: row.marketplace_address ?? null,
      data: { ...row, nft_address: row.token_address ?? null },
    };
  }
  if (row.amount === undefined || row.token_address === undefined || row.from_address === undefined) return undefined;
  return {
    transfer_type: type === undefined || !MOVES.test(type) ? "spl_transfer" : type,
    source_owner: row.from_address,
    destination_owner: row.to_address ?? null,
    token_address: row.token_address,
    decimals: row.token_decimals ?? null,
    amount: row.amount,
  };
}

/** Activities that are described as what they are; all others move an amount. */
const MOVES = /^ACTIVITY_SPL_(BURN|MINT)$/;

function sideOf(trade: JsonObject, side: 1 | 2): JsonObject {
  return {
    [`token_${side}`]: trade[`token${side}`] ?? null,
    [`amount_${side}`]: trade[`amount${side}`] ?? null,
    [`token_decimal_${side}`]: trade[`token${side}_decimals`] ?? null,
  };
}

function priceIn(row: JsonObject, mint: string): number | undefined {
  const [value, amount, decimals] = [toNumber(row.value), toNumber(row.amount), toNumber(row.token_decimals)];
  if (row.token_address !== mint || value === undefined || !amount || decimals === undefined) return undefined;
  return value / (amount / 10 ** decimals);
}

/** Lines of fields that are laid out; more are not counted. */
const MAX_LINES = 300;

/** Returns the fields of a row that are not empty, as its details show them, without those that are shown elsewhere. */
function fieldLines(
  row: Json,
  format: PreviewFormat,
  width: number,
  omitted: ReadonlySet<string>,
): readonly TextLine[] {
  const { shape, clock, shorten, data, unicode = true } = format;
  const tree = createValueTree(row, shape);
  const options: DrawOptions = {
    ...{ width, shorten, unicode, now: clock.now, timeZone: clock.timeZone },
    ...{ maxLines: 1, wraps: false, scrollLeft: 0, isSpaced: false },
    namer: createNamer(data?.names.of ?? (() => undefined)),
  };
  // The items of a list of values have space beside each other.
  const lists = tree.children(tree.root).filter(({ form, value }) => form === "list" && !listOf(value).some(isObject));
  const folds: FoldState = { all: undefined, chosen: new Map(lists.map(({ id }) => [id, false])) };
  const drawing = { tree, folds, options, columns: (list: ValueNode) => chooseItemColumns(list, tree, options) };
  return visibleNodes(tree, folds)
    .filter((node) => !omitted.has(String(nodePath(node)[0])))
    .filter((node) => node.form !== "leaf" || formatLeaf(node, options).role !== "missing")
    .slice(0, MAX_LINES)
    .flatMap((node) => nodeLines(node, drawing));
}
