/** What a token is, in a few facts: its market, its supply, and who still has power over it. */

import type { Decimal } from "../../../base/decimal.ts";
import { decimalOf } from "../../../base/decimal.ts";
import type { JsonObject } from "../../../base/json.ts";
import { percentOf, percentToFraction, sumDecimals } from "../../../base/ratio.ts";
import { TokenMeta } from "../../../catalogue/entities/token.ts";
import { type Clock, clip, compactNumber, formatPercent, MISSING } from "../../../output/index.ts";
import { shortId } from "../../app/route.ts";
import { lineWidth, span, type TextLine } from "../../app/theme/text-line.ts";
import { cellSpan, countText, formatField } from "../../widgets/cells.ts";
import { shareBar } from "../../widgets/chart/bar.ts";
import { changeSpan } from "../../widgets/chart/change.ts";
import type { Fact } from "../entity/summary.ts";

/** Text of strangers takes no more than this of the summary. */
const MAX_NAME = 40;

/** The facts, the most telling first. */
export function tokenFacts(meta: JsonObject, clock: Clock, unicode: boolean): readonly Fact[] {
  const cell = (field: string) => formatField(TokenMeta, meta, field, clock);
  const formatKnown = (field: string, unit = ""): TextLine => {
    const { text, role } = cell(field);
    return role === "missing" ? [] : [span(`${compactNumber(text) ?? text}${unit}`)];
  };
  const rank = cell("market_cap_rank");
  return [
    { label: "price", value: priceLine(meta, clock, unicode) },
    { label: "market cap", value: withNote(formatKnown("market_cap"), rank === MISSING ? "" : `rank ${rank.text}`) },
    { label: "holders", value: holderCount(meta.holder) },
    { label: "supply", value: supplyLine(meta, clock) },
    { label: "issuing", value: authorityLine(meta.mint_authority, "may issue more") },
    { label: "freezing", value: authorityLine(meta.freeze_authority, "may freeze accounts") },
    { label: "volume 24h", value: formatKnown("volume_24h") },
    { label: "created", value: formatKnown("created_time") },
  ];
}

/** Symbol and name, as harmless text with a mark where they pretend to be others. */
export function tokenName(meta: JsonObject, clock: Clock): TextLine {
  const [symbol, name] = [formatField(TokenMeta, meta, "symbol", clock), formatField(TokenMeta, meta, "name", clock)];
  const clipped = (cell: typeof symbol) => ({ ...cellSpan(cell), text: clip(cell.text, MAX_NAME) });
  if (symbol === MISSING && name === MISSING) return [span("without a name", "note")];
  if (symbol === MISSING || symbol.text === name.text) return [clipped(name)];
  return name === MISSING
    ? [clipped(symbol)]
    : [clipped(symbol), span(" "), { ...clipped(name), role: name.warning ? "warning" : "note" }];
}

/** Why the name of a token may pretend to be another; undefined where nothing is odd. */
export function nameWarning(meta: JsonObject, clock: Clock): string | undefined {
  return formatField(TokenMeta, meta, "symbol", clock).warning ?? formatField(TokenMeta, meta, "name", clock).warning;
}

function priceLine(meta: JsonObject, clock: Clock, unicode: boolean): TextLine {
  const price = formatField(TokenMeta, meta, "price", clock);
  if (price.role === "missing") return [span("none known", "note")];
  const change = decimalOf(meta.price_change_24h);
  return [span(price.text), ...(change ? [span("  "), changeSpan(change, unicode), span(" in 24h", "note")] : [])];
}

function withNote(value: TextLine, note: string): TextLine {
  return value.length === 0 || note === "" ? value : [...value, span(` ${note}`, "note")];
}

function holderCount(value: JsonObject[string] | undefined): TextLine {
  const count = Number(value ?? Number.NaN);
  return Number.isSafeInteger(count) ? [span(countText(count))] : [];
}

/** The supply in whole units, and how far a unit can be divided. */
function supplyLine(meta: JsonObject, clock: Clock): TextLine {
  const { text, role } = formatField(TokenMeta, meta, "supply", clock);
  if (role === "missing") return [];
  const decimals = formatField(TokenMeta, meta, "decimals", clock);
  return withNote([span(compactNumber(text) ?? text)], decimals === MISSING ? "" : `${decimals.text} decimals`);
}

/** Who has a power; given up for good is good news, so it is said. Where the API does not tell, nothing is. */
function authorityLine(value: JsonObject[string] | undefined, ability: string): TextLine {
  if (value === undefined) return [];
  if (typeof value !== "string" || value === "") return [span("given up", "good")];
  return [span(shortId(value)), span(` ${ability}`, "warning")];
}

/** The share of the supply that the largest holders have. */
export interface Concentration {
  readonly count: number;
  /** In percent of the supply. */
  readonly percent: Decimal;
}

/**
 * How much the largest accounts hold, by their amounts and the supply; where an amount is not told or there is no
 * supply, by the shares that the API gives. Groups that are larger than the rows are left out.
 */
export function concentrationOf(
  holders: readonly JsonObject[],
  supply: Decimal | undefined,
  counts: readonly number[] = [1, 10, 20],
): readonly Concentration[] {
  return counts.flatMap((count) => {
    const group = holders.slice(0, count);
    if (group.length < count) return [];
    const amounts = group.map((row) => decimalOf(row.amount_str ?? row.amount));
    const exact = amounts.every((amount) => amount !== undefined) && supply && percentOf(sumDecimals(amounts), supply);
    if (exact) return [{ count, percent: exact }];
    const shares = group.map((row) => decimalOf(row.percentage)).filter((share) => share !== undefined);
    return shares.length === count ? [{ count, percent: sumDecimals(shares) }] : [];
  });
}

const MIN_BAR = 6;
const MAX_BAR = 20;

/** Concentration as one line: words, numbers, and bars as far as there is room. */
export function concentrationLine(groups: readonly Concentration[], width: number, unicode: boolean): TextLine {
  const texts = groups.map(
    ({ count, percent }): TextLine => [
      span(count === 1 ? "largest " : `top ${count} `, "key"),
      span(formatPercent(percent)),
    ],
  );
  const used = texts.reduce((sum, text) => sum + lineWidth(text), 0) + 3 * texts.length;
  const bar = Math.min(MAX_BAR, Math.floor((width - used) / Math.max(1, groups.length)) - 1);
  return groups.flatMap(
    ({ percent }, at): TextLine => [
      ...(texts[at] ?? []),
      ...(bar >= MIN_BAR ? [span(" "), ...shareBar(percentToFraction(percent), bar, unicode)] : []),
      span("   "),
    ],
  );
}
