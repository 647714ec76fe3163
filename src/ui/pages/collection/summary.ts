/** A collection of NFTs: what its summary says. */
import { decimalOf } from "../../../base/decimal.ts";
import type { JsonObject } from "../../../base/json.ts";
import type { Column } from "../../../catalogue/endpoint.ts";
import { NftCollection } from "../../../catalogue/entities/nft.ts";
import { type Clock, textWidth } from "../../../output/index.ts";
import { span, type TextLine } from "../../app/theme/text-line.ts";
import { cellSpan, formatField } from "../../widgets/cells.ts";
import { changeSpan } from "../../widgets/chart/change.ts";
import { fieldOf, listOf } from "../entity/json-fields.ts";
import type { Fact } from "../entity/summary.ts";

/** Days that the volume covers. */
export const DAYS = [1, 7, 30] as const;
export type VolumeDays = (typeof DAYS)[number];

/** The number of days `by` steps further, within the ends. */
export function nextDays(days: VolumeDays, by: number): VolumeDays {
  return DAYS[Math.max(0, Math.min(DAYS.length - 1, DAYS.indexOf(days) + by))] ?? days;
}

/** The name of a collection; empty where it has none. */
export function collectionName(collection: JsonObject | undefined, clock: Clock): TextLine {
  const name = cellSpan(formatField(NftCollection, collection, "name", clock));
  return name.text === "-" || textWidth(name.text) === 0 ? [] : [name];
}

/** The columns of a list with the currency beside each price: a number alone is no price. */
export function withCurrency(columns: readonly Column[]): readonly Column[] {
  return columns.flatMap((column) => {
    const path = typeof column === "string" ? column : column.path;
    if (!/(^|\.)price(\||$)/.test(path)) return [column];
    return [column, { path: path.replaceAll(/\bprice\b/g, "currency_token"), head: "in" }];
  });
}

/** What the facts depend on beside the answer. */
export interface CollectionFormat {
  readonly clock: Clock;
  readonly unicode: boolean;
}

/** What is known of a collection, the most telling first. */
export function collectionFacts(
  collection: JsonObject | undefined,
  days: VolumeDays,
  { clock, unicode }: CollectionFormat,
): readonly Fact[] {
  if (!collection) return [];
  const cell = (field: string): TextLine => [cellSpan(formatField(NftCollection, collection, field, clock))];
  const markets = listOf(fieldOf(collection, "marketplaces")).length;
  const change = decimalOf(fieldOf(collection, "volumes_change_24h"));
  return [
    { label: "floor", value: cell("floor_price") },
    { label: "volume", value: [...cell("volumes"), span(days === 1 ? " in a day" : ` in ${days} days`, "note")] },
    { label: "change 24h", value: change ? [changeSpan(change, unicode)] : [] },
    { label: "items", value: cell("items") },
    { label: "symbol", value: cell("symbol") },
    { label: "traded on", value: [span(markets === 1 ? "1 marketplace" : `${markets} marketplaces`)] },
  ];
}
