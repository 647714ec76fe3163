/** The preview of a row, by what it is about: the story of a transaction, a card of a token or an account, or its fields. */
import { isObject, type Json, type JsonObject } from "../../base/index.ts";
import { type Cell, formatValue, MISSING } from "../../output/index.ts";
import type { Size } from "../navigation/context.ts";
import { fitLine, type Role, type Span, span, type TextLine, textLine } from "../navigation/theme/text-line.ts";
import { sparkline } from "../widgets/chart/sparkline.ts";
import type { PreviewFormat } from "../widgets/list/preview.ts";
import { fieldLines } from "./fields.ts";
import { storyFields, transactionStory } from "./story.ts";

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
  /** The fields that the head shows. */
  readonly omitted: ReadonlySet<string>;
}

const NO_HEAD: PreviewHead = { head: [], omitted: new Set() };

function headOf(row: Json, format: PreviewFormat, width: number): PreviewHead {
  const { subject } = format;
  if (subject?.kind !== "entity" || !isObject(row)) return NO_HEAD;
  switch (subject.entity) {
    case "transaction":
      return { head: transactionStory(row, subject.id, format, width), omitted: storyFields(row) };
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

/** Returns the first field that is not empty, as it is formatted in full. */
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

/** Returns a token with its price, its change, and the prices of the last days as a line. */
function tokenCard(row: JsonObject, mint: string, format: PreviewFormat, width: number): PreviewHead {
  const { data, unicode = true } = format;
  const [symbol, name] = [firstCell(row, SYMBOLS, format), firstCell(row, NAMES, format)];
  const title = symbol?.text ?? data?.nameOf(mint) ?? name?.text;
  const [price, change] = [firstCell(row, PRICES, format), firstCell(row, CHANGES, format)];
  const trend = data?.trends.of(mint) ?? [];
  const days = trend.flatMap((value) => Array.from({ length: DAY_WIDTH }, () => value));
  const [first = 0, last = first] = [trend[0], trend.at(-1)];
  const role: Role = last < first ? "bad" : last > first ? "good" : "note";
  const lines: readonly TextLine[] = [
    ...(title === undefined
      ? []
      : [[span(title, symbol?.warning || name?.warning ? "warning" : "token"), ...nameAfter(title, name?.text)]]),
    [span(mint, "note")],
    ...(price ? [[span(price.text, "title"), ...(change ? [span("  "), span(change.text, change.role)] : [])]] : []),
    ...(trend.length > 1 ? [[span(sparkline(days, width, unicode), role), span("  7d", "note")]] : []),
  ];
  return { head: lines, omitted: new Set([...SYMBOLS, ...NAMES, ...PRICES, ...CHANGES, ...fieldsWith(row, mint)]) };
}

const nameAfter = (title: string, name: string | undefined): TextLine =>
  name === undefined || name === title ? [] : [span(`  ${name}`, "note")];

/** Returns an account, a program or a market by its name, with its balance or value. */
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
