/** The tokens that an ambiguous symbol may stand for, below its error. Few errors have any, so this is loaded on demand. */
import type { JsonObject } from "../base/index.ts";
import type { Kind } from "../catalogue/index.ts";
import { clip, pad, textWidth } from "./text/width.ts";
import { formatValue } from "./values/cell.ts";

/** Candidates that are listed; the first ones have the best reputation. */
const MAX_CANDIDATES = 10;
const MAX_NAME = 24;
/** No cell is a time. */
const CLOCK = { style: "iso", now: 0 } as const;

/** Returns the tokens that a symbol may stand for, one per line: mint, name, holders, market capitalisation, reputation. */
export function candidateLines(candidates: readonly JsonObject[]): readonly string[] {
  const lines = alignColumns(candidates.slice(0, MAX_CANDIDATES).map(describeToken));
  const more = candidates.length - lines.length;
  return more > 0 ? [...lines, `… ${more} more`] : lines;
}

function describeToken(token: JsonObject): readonly string[] {
  const cell = (name: string, kind: Kind) => formatValue(token[name], { kind, description: "" }, token, CLOCK).text;
  return [
    cell("address", "address"),
    clip(cell("symbol", "text"), MAX_NAME),
    clip(cell("name", "text"), MAX_NAME),
    `${cell("holder", "count")} holders`,
    `market cap ${cell("market_cap", "usd")}`,
    token.is_verified === true ? "verified" : "not verified",
  ];
}

function alignColumns(rows: readonly (readonly string[])[]): readonly string[] {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => textWidth(row[column] ?? ""))));
  return rows.map((row) =>
    row
      .map((text, column) => pad(text, widths[column] ?? 0))
      .join("  ")
      .trimEnd(),
  );
}
