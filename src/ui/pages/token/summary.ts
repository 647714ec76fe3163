/** The summary of a token: market, supply and authorities. */

import {
  type Decimal,
  decimalOf,
  groupThousands,
  type JsonObject,
  percentOf,
  percentToFraction,
  sumDecimals,
} from "../../../base/index.ts";
import { TokenMeta } from "../../../catalogue/schemas.ts";
import { type Clock, clip, compactNumber, MISSING, type NameOf } from "../../../output/index.ts";
import { lineWidth, span, type TextLine } from "../../navigation/theme/text-line.ts";
import { cellSpan, changeSpan, formatField, idSpan } from "../../widgets/cells.ts";
import { type StackedBarOptions, shareText, stackedBar } from "../../widgets/chart/stacked-bar.ts";
import type { Fact } from "../entity/summary.ts";

/** Maximum width of a name, which is text from the chain. */
const MAX_NAME = 40;

/** Returns the facts of a token, the most important first. */
export function tokenFacts(
  meta: JsonObject,
  clock: Clock,
  unicode: boolean,
  nameOf: NameOf = () => undefined,
): readonly Fact[] {
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
    { label: "mint authority", value: authorityLine(meta.mint_authority, "can mint more", nameOf) },
    { label: "freeze authority", value: authorityLine(meta.freeze_authority, "can freeze accounts", nameOf) },
    { label: "volume 24h", value: formatKnown("volume_24h") },
    { label: "created", value: formatKnown("created_time") },
  ];
}

/** Returns symbol and name as safe text, marked when they imitate another token. */
export function tokenName(meta: JsonObject, clock: Clock): TextLine {
  const [symbol, name] = [formatField(TokenMeta, meta, "symbol", clock), formatField(TokenMeta, meta, "name", clock)];
  const clipped = (cell: typeof symbol) => ({ ...cellSpan(cell), text: clip(cell.text, MAX_NAME) });
  if (symbol === MISSING && name === MISSING) return [span("unnamed", "note")];
  if (symbol === MISSING || symbol.text === name.text) return [clipped(name)];
  return name === MISSING
    ? [clipped(symbol)]
    : [clipped(symbol), span(" "), { ...clipped(name), role: name.warning ? "warning" : "note" }];
}

/** Returns why the name of a token is suspicious; undefined when it is not. */
export function nameWarning(meta: JsonObject, clock: Clock): string | undefined {
  return formatField(TokenMeta, meta, "symbol", clock).warning ?? formatField(TokenMeta, meta, "name", clock).warning;
}

function priceLine(meta: JsonObject, clock: Clock, unicode: boolean): TextLine {
  const price = formatField(TokenMeta, meta, "price", clock);
  if (price.role === "missing") return [span("unknown", "note")];
  const change = decimalOf(meta.price_change_24h);
  return [span(price.text), ...(change ? [span("  "), changeSpan(change, unicode), span(" in 24h", "note")] : [])];
}

function withNote(value: TextLine, note: string): TextLine {
  return value.length === 0 || note === "" ? value : [...value, span(` ${note}`, "note")];
}

function holderCount(value: JsonObject[string] | undefined): TextLine {
  const count = Number(value ?? Number.NaN);
  return Number.isSafeInteger(count) ? [span(groupThousands(count))] : [];
}

/** Returns the supply in whole units with the number of decimals. */
function supplyLine(meta: JsonObject, clock: Clock): TextLine {
  const { text, role } = formatField(TokenMeta, meta, "supply", clock);
  if (role === "missing") return [];
  const decimals = formatField(TokenMeta, meta, "decimals", clock);
  return withNote([span(compactNumber(text) ?? text)], decimals === MISSING ? "" : `${decimals.text} decimals`);
}

/**
 * Returns the holder of an authority. A revoked authority is good news, so it is stated; an unreported one is omitted.
 */
function authorityLine(value: JsonObject[string] | undefined, ability: string, nameOf: NameOf): TextLine {
  if (value === undefined) return [];
  if (typeof value !== "string" || value === "") return [span("revoked", "good")];
  return [idSpan(value, nameOf), span(` ${ability}`, "warning")];
}

/** The share of the supply of the largest holders. */
export interface Concentration {
  readonly count: number;
  /** In percent of the supply. */
  readonly percent: Decimal;
}

/**
 * Returns how much of the supply the largest accounts hold: exactly when all amounts and the supply are known,
 * otherwise by the shares that the API reports. Groups with more members than rows are omitted.
 */
export function concentrationOf(
  holders: readonly JsonObject[],
  supply: Decimal | undefined,
  groupSizes: readonly number[] = [1, 10, 20, 40],
): readonly Concentration[] {
  return groupSizes.flatMap((count) => {
    const group = holders.slice(0, count);
    if (group.length < count) return [];
    const amounts = group.map((row) => decimalOf(row.amount_str ?? row.amount));
    const exact = amounts.every((amount) => amount !== undefined) && supply && percentOf(sumDecimals(amounts), supply);
    if (exact) return [{ count, percent: exact }];
    const shares = group.map((row) => decimalOf(row.percentage)).filter((share) => share !== undefined);
    return shares.length === count ? [{ count, percent: sumDecimals(shares) }] : [];
  });
}

/**
 * Returns the concentration as a bar of the whole supply with its legend, or as the legend alone where only one line is
 * available; nothing without groups. The legend states what each group holds together with the smaller ones; groups that
 * do not fit are left out.
 */
export function concentrationLines(
  groups: readonly Concentration[],
  options: StackedBarOptions,
  maxLines: number,
): readonly TextLine[] {
  if (groups.length === 0) return [];
  const ends = groups.map(({ percent }) => percentToFraction(percent));
  const shares = groups.map(({ count }, at) => ({
    label: count === 1 ? "largest" : `top ${count}`,
    value: (ends[at] ?? 0) - (ends[at - 1] ?? 0),
    text: shareText(ends[at] ?? 0),
  }));
  const rest = { label: "others", value: Math.max(0, 1 - (ends.at(-1) ?? 0)) };
  const lines = stackedBar([...shares, rest], { ...options, isOrdered: true });
  // The largest groups and the smallest one say the most.
  const isCut = groups.length > 1 && lines.some((line) => lineWidth(line) > options.width);
  if (isCut) return concentrationLines(groups.toSpliced(-2, 1), options, maxLines);
  return maxLines > 1 ? lines : lines.slice(1);
}
