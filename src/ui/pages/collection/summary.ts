/** The summary of an NFT collection. */
import { decimalOf, fieldOf, type JsonObject, listOf } from "../../../base/index.ts";
import type { Column } from "../../../catalogue/index.ts";
import { NftCollection } from "../../../catalogue/schemas.ts";
import { type Clock, textWidth, withRole } from "../../../output/index.ts";
import { span, type TextLine } from "../../navigation/theme/text-line.ts";
import { cellSpan, changeSpan, formatField } from "../../widgets/cells.ts";
import type { Fact } from "../entity/summary.ts";

/** The selectable periods of the volume in days. */
const DAYS = [1, 7, 30] as const;
export type VolumeDays = (typeof DAYS)[number];

/** Returns the period `by` steps further; stops at the ends. */
export function nextDays(days: VolumeDays, by: number): VolumeDays {
  return DAYS[Math.max(0, Math.min(DAYS.length - 1, DAYS.indexOf(days) + by))] ?? days;
}

/** Returns the name of a collection; empty when it has none. */
export function collectionName(collection: JsonObject | undefined, clock: Clock): TextLine {
  const name = cellSpan(withRole(formatField(NftCollection, collection, "name", clock), "nft"));
  return name.text === "-" || textWidth(name.text) === 0 ? [] : [name];
}

/** Adds the currency beside each price column: a number alone is no price. */
export function withCurrency(columns: readonly Column[]): readonly Column[] {
  return columns.flatMap((column) => {
    const path = typeof column === "string" ? column : column.path;
    if (!/(^|\.)price(\||$)/.test(path)) return [column];
    return [column, { path: path.replaceAll(/\bprice\b/g, "currency_token"), head: "in" }];
  });
}

/** How the facts are formatted. */
export interface CollectionFormat {
  readonly clock: Clock;
  readonly unicode: boolean;
}

/** Returns the facts of a collection, the most important first. */
export function collectionFacts(
  collection: JsonObject | undefined,
  days: number,
  { clock, unicode }: CollectionFormat,
): readonly Fact[] {
  if (!collection) return [];
  const cell = (field: string): TextLine => [cellSpan(formatField(NftCollection, collection, field, clock))];
  const markets = listOf(fieldOf(collection, "marketplaces")).length;
  const change = decimalOf(fieldOf(collection, "volumes_change_24h"));
  return [
    { label: "floor", value: cell("floor_price") },
    { label: "volume", value: [...cell("volumes"), span(days === 1 ? " in 1 day" : ` in ${days} days`, "note")] },
    { label: "change 24h", value: change ? [changeSpan(change, unicode)] : [] },
    { label: "items", value: cell("items") },
    { label: "symbol", value: cell("symbol") },
    { label: "traded on", value: [span(markets === 1 ? "1 marketplace" : `${markets} marketplaces`)] },
  ];
}
