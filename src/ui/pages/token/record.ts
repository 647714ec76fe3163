/** The page of a token. */
import {
  computePercent,
  type Decimal,
  groupThousands,
  type JsonObject,
  percentToFraction,
  sumDecimals,
  toDecimal,
  toNumber,
} from "../../../base/index.ts";
import { TokenMeta } from "../../../catalogue/schemas.ts";
import { type Cell, type Clock, clip, MISSING, type NameOf } from "../../../output/index.ts";
import { lineWidth, span, type TextLine, textLine } from "../../navigation/theme/text-line.ts";
import { cellSpan, changeSpan, endpointAt, formatField, idSpan, titleLine } from "../../widgets/cells.ts";
import { type StackedBarOptions, shareText, stackedBar } from "../../widgets/chart/one-line.ts";
import { NODE_ACCOUNT } from "../account/record.ts";
import { fieldValues, withNote } from "../entity/fields.ts";
import type { Fact } from "../entity/header.ts";
import { entityRecord } from "../entity/record.ts";
import { safetyRows } from "./safety.ts";

/** The prices per day. */
export const PRICE = endpointAt("/token/price");
/** The candles. */
export const CANDLES = endpointAt("/token/price-ohlcv");
/** The statistics by time window. */
export const STATISTICS = endpointAt("/token/statistic");
/** The holders, the largest first. */
export const HOLDERS = endpointAt("/token/holders");
const META = endpointAt("/token/meta");

/** Days of the history: as many as the API has. */
const HISTORY_DAYS = 30;

/** The page of a token. */
export const TOKEN = entityRecord({
  requests: { meta: { endpoint: META } },
  title: ({ answers: { meta }, id, clock, width }) => titleLine(meta ? tokenName(meta, clock) : [], id, width),
  notes: ({ answers: { meta }, clock }) => {
    const [warning] = ["symbol", "name"].flatMap((field) => formatField(TokenMeta, meta, field, clock).warning ?? []);
    return warning === undefined ? [] : [textLine(`${warning}: verify the mint address.`, "warning")];
  },
  facts: ({ answers: { meta }, clock, unicode, nameOf, hasPrices }) =>
    (meta ? tokenFacts(meta, clock, unicode, nameOf) : []).filter(({ label }) => label !== "price" || hasPrices),
  tabs: [
    { name: "mint", endpoint: NODE_ACCOUNT },
    { name: "price", endpoint: PRICE },
    { name: "candles", endpoint: CANDLES },
    { name: "statistics", endpoint: STATISTICS },
    { name: "holders", endpoint: HOLDERS },
    { name: "markets", endpoint: endpointAt("/token/markets"), params: (id) => ({ token: [id] }) },
    { name: "transfers", endpoint: endpointAt("/token/transfer") },
    { name: "defi", endpoint: endpointAt("/token/defi/activities") },
    { name: "safety", endpoint: META, rows: (view) => safetyRows(view) },
    {
      name: "history",
      endpoint: endpointAt("/token/historical-data"),
      params: (address) => ({ address, range: HISTORY_DAYS }),
    },
    { name: "about", endpoint: META },
  ],
  panes: [
    { tab: "mint", minimum: { width: 72, height: 24 }, weight: 5 },
    { tab: "price", minimum: { width: 58, height: 14 }, weight: 6 },
    { tab: "safety", minimum: { width: 50, height: 9 }, weight: 2 },
    { tab: "holders", minimum: { width: 58, height: 10 }, weight: 3 },
    { tab: "markets", minimum: { width: 58, height: 9 }, weight: 3 },
    { tab: "defi", minimum: { width: 58, height: 9 }, weight: 3 },
  ],
});

/** Maximum width of a name, which is text from the chain. */
const MAX_NAME = 40;

function tokenFacts(meta: JsonObject, clock: Clock, unicode: boolean, nameOf: NameOf): readonly Fact[] {
  const { text, short } = fieldValues(TokenMeta, meta, clock);
  const [price, rank, decimals] = [text("price"), text("market_cap_rank"), text("decimals")];
  const change = toDecimal(meta.price_change_24h);
  const holders = toNumber(meta.holder);
  return [
    {
      label: "price",
      value: [
        price === "" ? span("unknown", "note") : span(price),
        ...(price !== "" && change ? [span("  "), changeSpan(change, unicode), span(" in 24h", "note")] : []),
      ],
    },
    { label: "market cap", value: withNote(short("market_cap"), rank && `rank ${rank}`) },
    { label: "holders", value: Number.isSafeInteger(holders) ? [span(groupThousands(holders ?? 0))] : [] },
    { label: "supply", value: withNote(short("supply"), decimals && `${decimals} decimals`) },
    { label: "mint authority", value: authorityLine(meta.mint_authority, "can mint more", nameOf) },
    { label: "freeze authority", value: authorityLine(meta.freeze_authority, "can freeze accounts", nameOf) },
    { label: "volume 24h", value: short("volume_24h") },
    { label: "created", value: short("created_time") },
  ];
}

function tokenName(meta: JsonObject, clock: Clock): TextLine {
  const [symbol, name] = [formatField(TokenMeta, meta, "symbol", clock), formatField(TokenMeta, meta, "name", clock)];
  const clipped = (cell: Cell) => ({ ...cellSpan(cell), text: clip(cell.text, MAX_NAME) });
  if (symbol === MISSING && name === MISSING) return [span("unnamed", "note")];
  if (symbol === MISSING || symbol.text === name.text) return [clipped(name)];
  return name === MISSING
    ? [clipped(symbol)]
    : [clipped(symbol), span(" "), { ...clipped(name), role: name.warning ? "warning" : "note" }];
}

/** Returns the holder of an authority: a revoked one is good news, so it is stated; an unreported one is omitted. */
function authorityLine(value: JsonObject[string] | undefined, ability: string, nameOf: NameOf): TextLine {
  if (value === undefined) return [];
  if (typeof value !== "string" || value === "") return [span("revoked", "good")];
  return [idSpan(value, nameOf), span(` ${ability}`, "warning")];
}

interface Concentration {
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
    const amounts = group.map((row) => toDecimal(row.amount_str ?? row.amount));
    const exact =
      amounts.every((amount) => amount !== undefined) && supply && computePercent(sumDecimals(amounts), supply);
    if (exact) return [{ count, percent: exact }];
    const shares = group.map((row) => toDecimal(row.percentage)).filter((share) => share !== undefined);
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
