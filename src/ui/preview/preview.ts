/** The preview of a row, by what it is about: the story of a transaction, a card of a token or an account, or its fields. */
import { fieldOf, isArray, isObject, type Json, type JsonObject, listOf, textOf, toNumber } from "../../base/index.ts";
import {
  type Cell,
  clip,
  fieldNames,
  fitCell,
  formatUnix,
  formatValue,
  headingOf,
  MISSING,
  omitRedundant,
  orderFields,
  pad,
  type Shape,
  safeText,
  textWidth,
  type ValueStyle,
} from "../../output/index.ts";
import type { Size } from "../navigation/context.ts";
import { type Route, routeForValue } from "../navigation/route.ts";
import {
  fitLine,
  lineWidth,
  type Role,
  type Span,
  span,
  type TextLine,
  textLine,
} from "../navigation/theme/text-line.ts";
import { failureOf } from "../pages/transaction/calls.ts";
import { createFormatter } from "../pages/transaction/formatter.ts";
import { stepLine, stepOf } from "../pages/transaction/steps.ts";
import { isAboutRow, storyRows } from "../pages/transaction/story.ts";
import { failureLines } from "../pages/transaction/summary.ts";
import { answerObject, endpointAt } from "../widgets/cells.ts";
import { sparkline } from "../widgets/chart/one-line.ts";
import type { FieldFormat, PreviewFormat } from "../widgets/list/preview.ts";
import { actionText, transactionErrorText } from "../widgets/transaction-cells.ts";
import { rowLine, visibleRows } from "../widgets/tree/rows.ts";

/** Returns the lines of a preview; the last one counts those that do not fit. */
export function previewLines(row: Json | undefined, format: PreviewFormat, size: Size): readonly TextLine[] {
  if (row === undefined || size.height <= 0) return [];
  const { head: plainHead, omitted } = headOf(row, format, size.width);
  const head = plainHead.map((line) => line.map((one): Span => ({ target: format.subject, ...one })));
  const fields = fieldLines(row, { nameOf: format.data?.nameOf, ...format }, size.width, omitted);
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
      return tokenCard(row, subject.id, format, width);
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

function tokenCard(row: JsonObject, mint: string, format: PreviewFormat, width: number): PreviewHead {
  const { data, unicode = true } = format;
  const [symbol, name] = [firstCell(row, SYMBOLS, format), firstCell(row, NAMES, format)];
  const title = symbol?.text ?? data?.nameOf(mint) ?? name?.text;
  const [price, change] = [firstCell(row, PRICES, format), firstCell(row, CHANGES, format)];
  const trend = data?.trends.of(mint) ?? [];
  const days = trend.flatMap((value) => Array.from({ length: DAY_WIDTH }, () => value));
  const [first = 0, last = first] = [trend[0], trend.at(-1)];
  const role: Role = last < first ? "bad" : last > first ? "good" : "note";
  const titleRole = symbol?.warning || name?.warning ? "warning" : "token";
  const note = name === undefined || name.text === title ? "" : `  ${name.text}`;
  const lines: readonly TextLine[] = [
    ...(title === undefined ? [] : [[span(title, titleRole), span(note, "note")]]),
    [span(mint, "note")],
    ...(price ? [[span(price.text, "title"), ...(change ? [span("  "), span(change.text, change.role)] : [])]] : []),
    ...(trend.length > 1 ? [[span(sparkline(days, width, unicode), role), span("  7d", "note")]] : []),
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
/** Instructions that are listed. */
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
    ...(step ? [stepLine(stepOf(step), formatter)] : []),
    ...actions.map((text) => [span("· ", "note"), span(text)]),
  ];
}

/** Returns why the transaction of a row failed; rows without a status are about effects, which only successes have. */
function failureIn({ status, err, error }: JsonObject): string | undefined {
  const isSuccess =
    status === undefined || status === null || /^(success|1)$/i.test(String(toNumber(status) ?? status));
  if (isSuccess && (err === undefined || err === null)) return undefined;
  const reason = transactionErrorText(err ?? error);
  return reason === undefined ? "failed" : `failed: ${reason}`;
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

/** Maximum width of a name in cells. */
const MAX_NAME = 24;
/** Levels of nested values, items of a list, and lines of a row that are shown. */
const MAX_DEPTH = 4;
const MAX_ITEMS = 6;
const MAX_LINES = 300;
const INDENT = 2;

interface Field {
  readonly name: string;
  readonly cell?: Cell;
  readonly target?: Route | undefined;
  readonly fields?: readonly Field[];
}

/** Returns the fields of a row that are not empty, one per line, without those that are shown elsewhere. */
function fieldLines(row: Json, format: FieldFormat, width: number, omitted: ReadonlySet<string>): readonly TextLine[] {
  return linesOf(fieldsOf(row, format, omitted), format, width, 0).slice(0, MAX_LINES);
}

function linesOf(fields: readonly Field[], format: FieldFormat, width: number, depth: number): readonly TextLine[] {
  const nameWidth = Math.min(MAX_NAME, Math.max(0, ...fields.map(({ name }) => textWidth(name))));
  const margin = " ".repeat(depth * INDENT);
  const space = Math.max(1, width - margin.length - nameWidth - 2);
  return fields.flatMap(({ name, cell, target, fields: inner = [] }): readonly TextLine[] => {
    const label = span(`${margin}${pad(clip(name, nameWidth), nameWidth)}  `, "key");
    if (cell) return [[label, ...cellSpans(cell, space, format).map((one): Span => ({ ...one, target }))]];
    return [[label], ...linesOf(inner, format, width, depth + 1)];
  });
}

/** Returns a value, with the name of its identifier before it where both fit; of several identifiers, their names. */
function cellSpans(cell: Cell, space: number, { shorten, nameOf }: FieldFormat): readonly Span[] {
  const role = cell.warning ? "warning" : cell.role;
  const [id, ...others] = cell.ids ?? [];
  const name = id === undefined ? undefined : nameOf?.(id);
  if (id !== undefined && others.length > 0) {
    const names = [id, ...others].map((each) => nameOf?.(each) ?? shorten(each));
    return [span(clip(names.join(", "), space), role)];
  }
  if (id === undefined || name === undefined) return [span(fitCell(cell, space, shorten), role)];
  const short = clip(name, Math.max(1, space - textWidth(shorten(id)) - 2));
  const rest = space - textWidth(short) - 2;
  return [span(short, role), span(`  ${fitCell({ text: id, ids: [id] }, rest, shorten)}`, "note")];
}

function fieldsOf(row: Json, { shape, clock, nameOf }: FieldFormat, omitted: ReadonlySet<string>): readonly Field[] {
  if (!isObject(row)) return [{ name: "value", cell: formatValue(row, shape.meta, undefined, clock) }];
  const names = omitRedundant(orderFields(fieldNames(shape, [row]), shape), shape, [row], clock);
  const symbolOf = (mint: string) => {
    const name = nameOf?.(mint);
    return name === undefined ? undefined : { name };
  };
  const style: ValueStyle = { ...clock, symbolOf };
  return names.filter((name) => !omitted.has(name)).flatMap((name) => readField(name, row, shape, style, 1));
}

function readField(
  field: string,
  holder: JsonObject,
  shape: Shape,
  clock: ValueStyle,
  depth: number,
): readonly Field[] {
  const value = Object.hasOwn(holder, field) ? (holder[field] ?? null) : null;
  const inner = shape.field(field);
  const name = safeText(headingOf(field, inner.meta));
  if (isNested(value)) {
    const size = isArray(value) ? value.length : Object.keys(value).length;
    const fields = depth < MAX_DEPTH ? nestedFields(value, inner, clock, depth + 1) : moreFields(size);
    return fields.length === 0 ? [] : [{ name, fields }];
  }
  const cell = valueCell(value, holder, inner, clock);
  return cell.text === MISSING.text ? [] : [{ name, cell, target: routeForValue(value, inner.meta?.kind, field) }];
}

const isNested = (value: Json): value is JsonObject | readonly Json[] =>
  isObject(value) || (isArray(value) && value.some((item) => isObject(item) || isArray(item)));

/** Returns the fields of an object, or the first items of a list. */
function nestedFields(
  value: JsonObject | readonly Json[],
  shape: Shape,
  clock: ValueStyle,
  depth: number,
): readonly Field[] {
  if (!isArray(value)) return Object.keys(value).flatMap((name) => readField(name, value, shape, clock, depth));
  const items = value.slice(0, MAX_ITEMS).flatMap((item, at): readonly Field[] => {
    const name = `${at + 1}`;
    if (!isNested(item)) return [{ name, cell: formatValue(item, shape.meta, undefined, clock) }];
    const fields = nestedFields(item, shape, clock, depth + 1);
    return fields.length > 0 ? [{ name, fields }] : [];
  });
  return [...items, ...moreFields(value.length - MAX_ITEMS)];
}

const moreFields = (count: number): readonly Field[] =>
  count > 0 ? [{ name: "…", cell: { text: `${count} more`, role: "note" } }] : [];

/** Ages, as opposed to dates. */
const RELATIVE = / ago$|^in |^now$/;

/** Times are formatted as a date, and as an age where they are recent. */
function valueCell(value: Json, holder: Json, { meta }: Shape, clock: ValueStyle): Cell {
  const cell = formatValue(value, meta, holder, clock);
  if (meta?.kind !== "unixTime" && meta?.kind !== "isoTime") return cell;
  const { text } = formatValue(value, meta, holder, { ...clock, style: "iso" });
  return RELATIVE.test(cell.text) ? { ...cell, text: `${text} · ${cell.text}` } : { ...cell, text };
}
