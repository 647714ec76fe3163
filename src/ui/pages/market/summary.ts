/** The summary of a market. */
import { decimalOf, type Json, type JsonObject, objectsOf, parseDecimal, toNumber } from "../../../base/index.ts";
import { MarketInfo, MarketVolume } from "../../../catalogue/schemas.ts";
import { type Clock, compactNumber, formatUsd, type NameOf, orderPair } from "../../../output/index.ts";
import { span, type TextLine } from "../../navigation/theme/text-line.ts";
import { changeSpan, type EntitySchema, formatAs, formatField, idSpan, tradeChange } from "../../widgets/cells.ts";
import type { Fact } from "../entity/summary.ts";

/** Returns the reserves of a pool, whose field has two names in the API. */
function reservesOf(info: JsonObject | undefined): readonly JsonObject[] {
  const reserves = info?.token_infos ?? info?.tokens_info;
  return objectsOf(reserves);
}

/** Returns the mints of a pool's reserves. */
export function mintsOf(info: JsonObject | undefined): readonly string[] {
  return reservesOf(info).flatMap(({ token }) => (typeof token === "string" && token !== "" ? [token] : []));
}

/** The data of the market page. */
export interface MarketData {
  readonly info: JsonObject | undefined;
  readonly volume: JsonObject | undefined;
  readonly nameOf: NameOf;
}

/** Returns the tokens of a pool as in its name elsewhere: `wSOL/USDC`. */
export function pairLine({ info, nameOf }: MarketData): TextLine {
  return orderPair(mintsOf(info)).flatMap((mint, at) => [
    ...(at > 0 ? [span("/")] : []),
    idSpan(mint, nameOf, "token"),
  ]);
}

/** Returns what candles price: `wSOL in USDC`. */
export function pricedLine(data: JsonObject | undefined, nameOf: NameOf): TextLine {
  const [token, currency] = [data?.token, data?.currency];
  if (typeof token !== "string" || typeof currency !== "string") return [];
  return [idSpan(token, nameOf, "token"), span(" in ", "note"), idSpan(currency, nameOf, "token")];
}

/** Returns the facts of a market, the most important first. */
export function marketFacts({ info, volume, nameOf }: MarketData, clock: Clock, unicode: boolean): readonly Fact[] {
  const formatNumber = (entity: EntitySchema, object: JsonObject | undefined, field: string): TextLine => {
    const { text, role } = formatField(entity, object, field, clock);
    return role === "missing" ? [] : [span(compactNumber(text) ?? text)];
  };
  const withChange = (field: string, change: string): TextLine => {
    const value = formatNumber(MarketVolume, volume, field);
    const by = tradeChange(decimalOf(volume?.[change]), decimalOf(volume?.total_volume_change_24h));
    return value.length > 0 && by ? [...value, span(" "), changeSpan(by, unicode)] : value;
  };
  const program = info?.program_id ?? volume?.program_id;
  return [
    { label: "value locked", value: formatNumber(MarketVolume, volume, "tvl") },
    { label: "volume 24h", value: withChange("total_volume_24h", "total_volume_change_24h") },
    { label: "trades 24h", value: withChange("total_trades_24h", "total_trades_change_24h") },
    { label: "reserves", value: reservesLine(info, nameOf, clock) },
    { label: "program", value: typeof program === "string" ? [idSpan(program, nameOf, "program")] : [] },
    { label: "created", value: formatNumber(MarketInfo, info, "create_block_time") },
  ];
}

function reservesLine(info: JsonObject | undefined, nameOf: NameOf, clock: Clock): TextLine {
  return reserveLines(info, nameOf, clock).flatMap((line, at) => [...(at > 0 ? [span(" + ", "note")] : []), ...line]);
}

/** Returns a line per reserve of a pool, with its value where the price is known: `100 wSOL $15,000.00`. */
export function reserveLines(
  info: JsonObject | undefined,
  nameOf: NameOf,
  clock: Clock,
  prices: readonly (Json | undefined)[] = [],
): readonly TextLine[] {
  return reservesOf(info).map(({ token, amount }, at): TextLine => {
    const { text } = formatAs("amount", amount, clock);
    const name = typeof token === "string" ? [idSpan(token, nameOf, "token")] : [];
    const [units, price] = [toNumber(amount), toNumber(prices[at])];
    const worth = units === undefined || price === undefined ? undefined : parseDecimal((units * price).toFixed(2));
    const value = worth ? [span(` ${formatUsd(worth, "brief")}`, "note")] : [];
    return [span(`${compactNumber(text) ?? text} `), ...name, ...value];
  });
}
