/** Values formatted by kind, for people. Machine formats do not use this: they print exact digits. */
import {
  type Decimal,
  decimalText,
  fieldOf,
  isArray,
  isNumeric,
  isObject,
  type Json,
  numericText,
  parseDecimal,
  scaleDown,
  textOf,
  trimZeros,
} from "../../base/index.ts";
import {
  detectLookalike,
  distinctSymbol,
  type FieldMeta,
  tokenMintOf,
  WELL_KNOWN_TOKENS,
} from "../../catalogue/index.ts";
import { escapeJson, safeText } from "../text/safe.ts";
import type { Role } from "../text/theme.ts";
import { clip } from "../text/width.ts";
import {
  capNumber,
  formatAmount,
  formatChange,
  formatPercent,
  formatSol,
  formatUsd,
  MAX_DECIMALS,
  MAX_NUMBER_WIDTH,
  type NumberStyle,
} from "./number.ts";
import { type Clock, formatDate, formatIso, formatMinute, formatUnix } from "./time.ts";

/** The name of an identifier in a cell. */
export interface CellName {
  readonly text: string;
  readonly role: Role;
  readonly warning?: string;
  /** Whether the identifier always stays beside the name, which alone does not say what is meant. */
  readonly isAmbiguous: boolean;
  /** Whether the name is built in or the user's own, so that no similar identifier can be mistaken for this one. */
  readonly isTrusted: boolean;
}

/** A formatted value: one line of safe text, and what a table may do with it. */
export interface Cell {
  readonly text: string;
  readonly role?: Role;
  /** A number: right-aligned, and `1.234M` where it does not fit. */
  readonly numeric?: true;
  /** The identifiers of which the text consists; a table may shorten them in the middle. */
  readonly ids?: readonly string[];
  /** The names of these identifiers, where they have one; written before them, or in their place. */
  readonly names?: readonly (CellName | undefined)[];
  /** Text that may be cut. */
  readonly elastic?: true;
  /** The size of the whole value in UTF-8 bytes, when the text is a part of it. */
  readonly size?: number;
  readonly warning?: string;
}

/** The symbol of a token. */
export interface TokenSymbol {
  /** One line of safe text. */
  readonly name: string;
  readonly warning?: string | undefined;
}

/** How values are formatted. */
export interface ValueStyle extends Clock {
  /** How much of a number is printed (default: full). */
  readonly numbers?: NumberStyle | undefined;
  /** Returns the symbol of a token by its mint; without it, amounts have none. */
  readonly symbolOf?: ((mint: string) => TokenSymbol | undefined) | undefined;
}

/** The cell of null, missing and empty values. */
export const MISSING: Cell = { text: "-", role: "missing" };

/** The mark of names that imitate others. */
export const WARNING_MARK = "⚠";

/** The maximum length of a text in one cell. */
const MAX_TEXT_LENGTH = 4000;
/** The maximum width of the symbol of a token beside its amount. */
const MAX_SYMBOL_WIDTH = 12;
/** The maximum number of list items in one cell. */
const MAX_LIST_ITEMS = 20;
/** The maximum length of a name; longer text may well mix scripts. */
const MAX_NAME_LENGTH = 100;
/** Identifiers: base58 or hexadecimal, and long enough for shortening. */
const IDENTIFIER = /^[0-9A-Za-z]{32,128}$/;

/**
 * Formats a value by its kind. `parent` is the object that holds it, in which token amounts have their decimals.
 * A value that does not match its kind is printed as it is.
 */
export function formatValue(
  value: Json | undefined,
  meta: FieldMeta | undefined,
  parent: Json | undefined,
  style: ValueStyle,
): Cell {
  if (value === undefined || value === null || value === "") return MISSING;
  if (isObject(value)) return nestedCell(value);
  if (!isArray(value)) return formatScalar(value, meta, parent, style);
  if (value.some((item) => isObject(item) || isArray(item))) return nestedCell(value);
  return joinCells(value.map((item) => formatValue(item, meta, parent, style)));
}

function joinCells(cells: readonly Cell[]): Cell {
  if (cells.length === 0) return MISSING;
  const displayCells = cells.slice(0, MAX_LIST_ITEMS);
  const more = cells.length > displayCells.length ? ` +${cells.length - displayCells.length} more` : "";
  const warning = cells.find((cell) => cell.warning)?.warning;
  const ids = displayCells.flatMap((cell) => cell.ids ?? []);
  return {
    text: displayCells.map((cell) => cell.text).join(", ") + more,
    ...(warning && { warning }),
    ...(ids.length === cells.length ? { ids } : { elastic: true }),
  };
}

type Scalar = boolean | string | Parameters<typeof numericText>[0];

function formatScalar(value: Scalar, meta: FieldMeta | undefined, parent: Json | undefined, style: ValueStyle): Cell {
  const kind = meta?.kind;
  const { numbers = "full" } = style;
  switch (kind) {
    case "address":
    case "program":
    case "signature":
    case "hash":
      return plainCell(value);
    case "lamports":
      return numberCell(value, (number) => formatSol(number, numbers));
    case "sol":
      return numberCell(value, (number) => `${formatAmount(number, numbers)} SOL`);
    case "tokenAmount":
      return amountCell(value, findDecimals(meta, parent), symbolOfAmount(meta, parent, style), numbers);
    case "usd":
      return numberCell(value, (number) => formatUsd(number, numbers));
    case "percent":
      return numberCell(value, (number) => formatPercent(number, numbers));
    case "change":
      return changeCell(value, numbers);
    case "amount":
    case "count":
      return numberCell(value, (number) => formatAmount(number, numbers));
    case "number":
      return numberCell(value, (number) => formatNumber(number, numbers));
    case "slot":
    case "ordinal":
      return numberCell(value, decimalText);
    case "unixTime":
      // The API has 0 for unknown times.
      return rawText(value) === "0" ? MISSING : timeCell(value, (text) => formatUnix(Number(text), style));
    case "isoTime":
      return timeCell(value, (text) => formatIso(text, style));
    case "date":
      return timeCell(value, formatDate);
    case "minute":
      return timeCell(value, formatMinute);
    case "status":
      return statusCell(value, parent);
    case "enum":
      return enumCell(value);
    case "text":
      return nameCell(value, parent);
    case "boolean":
    case "url":
    case "json":
    case undefined:
      return plainCell(value);
    default:
      return kind satisfies never;
  }
}

function rawText(value: Scalar): string {
  return isNumeric(value) ? numericText(value) : String(value);
}

function plainCell(value: Scalar): Cell {
  if (typeof value === "boolean") return { text: value ? "yes" : "no" };
  if (isNumeric(value)) return numberCell(value, decimalText);
  if (IDENTIFIER.test(value)) return { text: value, ids: [value] };
  return textCell(value);
}

function textCell(value: string): Cell {
  if (value.length <= MAX_TEXT_LENGTH) return { text: safeText(value) || MISSING.text, elastic: true };
  return { text: safeText(value.slice(0, MAX_TEXT_LENGTH)), elastic: true, size: Buffer.byteLength(value) };
}

function nameCell(value: Scalar, parent: Json | undefined): Cell {
  if (typeof value !== "string" || value.length > MAX_NAME_LENGTH) return plainCell(value);
  const mint = tokenMintOf(parent);
  const cell = plainCell(distinctSymbol(value, mint));
  const warning = detectLookalike(value, mint);
  return warning ? { ...cell, text: `${WARNING_MARK} ${cell.text}`, warning: `"${cell.text}" ${warning}` } : cell;
}

function numberCell(value: Scalar, show: (number: Decimal) => string): Cell {
  const number = typeof value === "boolean" ? undefined : parseDecimal(rawText(value));
  if (number) return { text: capNumber(show(number)), numeric: true };
  // An exponent of more than four digits.
  return isNumeric(value) ? { text: clip(numericText(value), MAX_NUMBER_WIDTH), numeric: true } : plainCell(value);
}

/** Formats a token amount in whole units with its symbol, or in `base units` when its decimals are unknown. */
function amountCell(
  value: Scalar,
  decimals: number | undefined,
  symbol: TokenSymbol | undefined,
  numbers: NumberStyle,
): Cell {
  if (decimals === undefined) return numberCell(value, (number) => `${formatAmount(number, numbers)} base units`);
  const cell = numberCell(value, (number) => formatAmount(scaleDown(number, decimals), numbers));
  if (!symbol || !cell.numeric) return cell;
  const { name, warning } = symbol;
  const unit = clip(name, MAX_SYMBOL_WIDTH);
  if (warning === undefined) return { ...cell, text: `${cell.text} ${unit}` };
  return { ...cell, text: `${cell.text} ${WARNING_MARK} ${unit}`, warning: `"${name}" ${warning}` };
}

function symbolOfAmount(
  meta: FieldMeta | undefined,
  parent: Json | undefined,
  { symbolOf }: ValueStyle,
): TokenSymbol | undefined {
  const mint = symbolOf && mintOfAmount(meta, parent);
  return mint === undefined ? undefined : symbolOf?.(mint);
}

function mintOfAmount(meta: FieldMeta | undefined, parent: Json | undefined): string | undefined {
  const mint = meta?.token !== undefined && isObject(parent) ? parent[meta.token] : undefined;
  return typeof mint === "string" ? mint : undefined;
}

/** The most digits of a number of unknown meaning that are all printed in brief. */
const MAX_WHOLE_DIGITS = 15;

/** Formats a number of unknown meaning: whole ones may identify something, so that they keep a number of digits. */
function formatNumber(number: Decimal, numbers: NumberStyle): string {
  const { digits, scale } = trimZeros(number);
  const isWhole = scale === 0 && digits.toString().length <= MAX_WHOLE_DIGITS;
  return numbers === "full" || isWhole ? decimalText(number) : formatAmount(number, numbers);
}

function changeCell(value: Scalar, numbers: NumberStyle): Cell {
  const number = typeof value === "boolean" ? undefined : parseDecimal(rawText(value));
  const cell = numberCell(value, (change) => formatChange(change, numbers));
  if (!number || number.digits === 0n) return cell;
  return { ...cell, role: number.negative ? "bad" : "good" };
}

/**
 * Returns the decimals of an amount: the catalogue's, those in the object that holds it, or those of a well-known token;
 * undefined where unknown.
 */
export function findDecimals(meta: FieldMeta | undefined, parent: Json | undefined): number | undefined {
  const source = meta?.decimals;
  if (source === undefined) return WELL_KNOWN_TOKENS.get(mintOfAmount(meta, parent) ?? "")?.decimals;
  const value = typeof source === "string" ? (isObject(parent) ? parent[source] : undefined) : source;
  const text = isNumeric(value) ? numericText(value) : value;
  return typeof text === "string" && /^\d{1,3}$/.test(text) && Number(text) <= MAX_DECIMALS ? Number(text) : undefined;
}

function timeCell(value: Scalar, show: (text: string) => string | undefined): Cell {
  const text = typeof value === "boolean" ? undefined : show(rawText(value));
  return text === undefined ? plainCell(value) : { text };
}

const SUCCESS: Cell = { text: "Success", role: "good" };
const FAIL: Cell = { text: "Fail", role: "bad" };
const STATUSES: Readonly<Record<string, Cell>> = { Success: SUCCESS, Fail: FAIL, "1": SUCCESS, "0": FAIL };

/** Returns a status, of a failure with its reason where that is known. */
function statusCell(value: Scalar, parent: Json | undefined): Cell {
  const text = rawText(value);
  const cell = (Object.hasOwn(STATUSES, text) && STATUSES[text]) || plainCell(value);
  const reason = textOf(fieldOf(fieldOf(parent, "error"), "reason"));
  return reason === undefined ? cell : { ...cell, text: `${cell.text}: ${textCell(reason).text}`, elastic: true };
}

const ACTIVITY = /^ACTIVITY_(?:SPL_|NFT_)?([A-Z][A-Z0-9_]*)$/;

/** Formats `ACTIVITY_TOKEN_SWAP` as `swap`, the words by which it can be typed, and other values as they are. */
function enumCell(value: Scalar): Cell {
  const [, word] = (typeof value === "string" && ACTIVITY.exec(value)) || [];
  if (word) return { text: word.toLowerCase().replaceAll("token_", "").replaceAll("_", " "), elastic: true };
  const role = DIRECTIONS[rawText(value)];
  return role === undefined ? plainCell(value) : { text: rawText(value), role };
}

/** The roles of the directions of transfers and of changes of balances. */
const DIRECTIONS: Readonly<Partial<Record<string, Role>>> = { in: "good", out: "bad", inc: "good", dec: "bad" };

/** Formats a nested value as compact JSON, without fields that are null. */
function nestedCell(value: Json): Cell {
  const json = JSON.stringify(value, function (this: unknown, _key, inner: Json) {
    if (inner !== null) return inner;
    return Array.isArray(this) ? MISSING.text : undefined;
  });
  return json === "[]" || json === "{}" ? MISSING : textCell(escapeJson(json));
}

const NAMING_FIELDS = ["name", "symbol", "title", "label", "type"];

/**
 * Summarizes a nested value for a cell: an object, or each object of a list, by the field that names it. Returns undefined
 * where the value is no object, or has no such field.
 */
export function summarizeValue(value: Json | undefined): Cell | undefined {
  if (isObject(value)) {
    const word = NAMING_FIELDS.map((key) => (Object.hasOwn(value, key) ? value[key] : undefined)).find(isWord);
    return word === undefined ? undefined : nameCell(word, value);
  }
  if (!isArray(value) || value.length === 0 || !value.every(isObject)) return undefined;
  const words = value.map(summarizeValue).filter((word) => word !== undefined);
  return words.length === value.length ? joinCells(words) : undefined;
}

function isWord(value: Json | undefined): value is string {
  return typeof value === "string" && value !== "";
}

/** Returns a cell with a role, unless it has one. */
export function withRole(cell: Cell, role: Role | undefined): Cell {
  return role === undefined || cell.role !== undefined ? cell : { ...cell, role };
}

const SIZES = [
  [1_000_000_000, "GB"],
  [1_000_000, "MB"],
  [1000, "kB"],
] as const;

/** Returns the mark for the cut of a long value, with its whole size: `…(1.2 kB)`, or `…(1.2 kB; use -o json)`. */
export function sizeMark(bytes: number, hint?: string): string {
  return `…(${formatBytes(bytes)}${hint === undefined ? "" : `; ${hint}`})`;
}

/** Formats a number of bytes: `1.2 kB`. */
export function formatBytes(bytes: number): string {
  const [unit, name] = SIZES.find(([size]) => bytes >= size) ?? [1, "B"];
  return `${Math.round((bytes / unit) * 10) / 10} ${name}`;
}
