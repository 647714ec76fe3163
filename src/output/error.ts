/** Errors as text: message, cause and hint for people, one JSON object per line for programs. */
import { errorObject, type Json, type JsonObject, type SolxError } from "../base/index.ts";
import type { Kind } from "../catalogue/index.ts";
import { formatJson } from "./formats/json.ts";
import { safeText } from "./text/safe.ts";
import { createPainter } from "./text/theme.ts";
import { clip, pad, textWidth } from "./text/width.ts";
import { formatValue } from "./values/cell.ts";

/** The options of {@link formatError}. */
export interface ErrorOptions {
  readonly color: boolean;
  readonly machine: boolean;
  /** The identifier that failed, in a batch. */
  readonly input?: string;
}

/** Returns an error as text that ends with a line break. */
export function formatError(error: SolxError, { color, machine, input }: ErrorOptions): string {
  if (machine) {
    const { success, ...rest } = errorObject(error);
    return `${formatJson({ success, ...(input === undefined ? {} : { input }), ...rest } as Json)}\n`;
  }
  const paint = createPainter(color);
  const hint = (error.hint ?? "").split("\n").filter((line) => line.trim() !== "");
  const lines = [
    `${paint("bad", "error:")} ${safeText(error.message)}`,
    ...causeOf(error).map((cause) => paint("note", `  because: ${safeText(cause)}`)),
    ...candidateLines(error.candidates ?? []).map((line) => `  ${line}`),
    ...hint.map((line) => `  ${safeText(line)}`),
  ];
  return `${lines.join("\n")}\n`;
}

/** Candidates that are listed; the first ones have the best reputation. */
const MAX_CANDIDATES = 10;
const MAX_NAME = 24;

/** Returns the tokens that a symbol may stand for, one per line: mint, name, holders, market capitalisation, reputation. */
function candidateLines(candidates: readonly JsonObject[]): readonly string[] {
  const clock = { style: "iso", now: 0 } as const;
  const cells = candidates.slice(0, MAX_CANDIDATES).map((token) => {
    const cell = (name: string, kind: Kind) => formatValue(token[name], { kind, description: "" }, token, clock).text;
    return [
      cell("address", "address"),
      clip(cell("symbol", "text"), MAX_NAME),
      clip(cell("name", "text"), MAX_NAME),
      `${cell("holder", "count")} holders`,
      `market cap ${cell("market_cap", "usd")}`,
      token.is_verified === true ? "verified" : "not verified",
    ];
  });
  const widths = (cells[0] ?? []).map((_, column) => Math.max(...cells.map((row) => textWidth(row[column] ?? ""))));
  const lines = cells.map((row) =>
    row
      .map((text, column) => pad(text, widths[column] ?? 0))
      .join("  ")
      .trimEnd(),
  );
  const more = candidates.length - lines.length;
  return more > 0 ? [...lines, `… ${more} more`] : lines;
}

/** Returns the message of the cause, unless it repeats that of the error. */
function causeOf({ cause, message }: SolxError): string[] {
  if (!(cause instanceof Error)) return [];
  const [sentence, detail] = [normalize(message), normalize(cause.message)];
  return sentence.includes(detail) || (sentence !== "" && detail.includes(sentence)) ? [] : [cause.message];
}

/** Returns a text for comparison: in lower case, without full stop and double spaces. */
function normalize(text: string): string {
  return text
    .toLowerCase()
    .replace(/\s+/g, " ")
    .replace(/[\s.]+$/, "");
}
