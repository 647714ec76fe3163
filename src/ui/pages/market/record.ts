/** The page of a market. */
import {
  isObject,
  type Json,
  type JsonObject,
  listOf,
  parseDecimal,
  textOf,
  toDecimal,
  toNumber,
} from "../../../base/index.ts";
import { WELL_KNOWN_TOKENS } from "../../../catalogue/index.ts";
import { MarketInfo, MarketVolume } from "../../../catalogue/schemas.ts";
import { type Clock, formatUsd, type NameOf, orderPair } from "../../../output/index.ts";
import { span, type TextLine } from "../../navigation/theme/text-line.ts";
import { changeSpan, endpointAt, formatAs, idSpan, titleLine, tradeChange } from "../../widgets/cells.ts";
import { fieldValues, shortNumber } from "../entity/fields.ts";
import { entityRecord, type PageRequest } from "../entity/record.ts";

/** The metadata of tokens. */
export const META = endpointAt("/token/meta");
/** The candles. */
export const CANDLES = endpointAt("/market/price-ohlcv");
const INFO = endpointAt("/market/info");
const VOLUME = endpointAt("/market/volume");

/** Returns the reserves of a pool, whose field has two names in the API. */
function reservesOf(info: JsonObject | undefined): readonly JsonObject[] {
  return listOf(info?.token_infos ?? info?.tokens_info).filter(isObject);
}

/** Returns the mints of a pool's reserves. */
export function mintsOf(info: JsonObject | undefined): readonly string[] {
  return reservesOf(info).flatMap(({ token }) => textOf(token) ?? []);
}

/** Requests the metadata of a token of the pool, unless its symbol is known. */
const metaRequest = (at: 0 | 1): PageRequest<"info" | "volume" | "first" | "second"> => ({
  endpoint: META,
  params: (_id, _days, { info }) => ({ address: mintsOf(info)[at] }),
  isNeeded({ info }) {
    const mint = mintsOf(info)[at];
    return mint !== undefined && !WELL_KNOWN_TOKENS.has(mint);
  },
});

/** The page of a market. */
export const MARKET = entityRecord({
  requests: {
    info: { endpoint: INFO },
    volume: { endpoint: VOLUME, params: (address, days) => ({ address, time: [`${days}d`, "today"] }) },
    first: metaRequest(0),
    second: metaRequest(1),
  },
  // The order of the tokens is that of the pool's name elsewhere: `wSOL/USDC`.
  title: ({ answers, nameOf, id, width }) => {
    const tokens = orderPair(mintsOf(answers.info)).map((mint) => [idSpan(mint, nameOf, "token")]);
    return titleLine(joinLines(tokens, span("/")), id, width);
  },
  facts: ({ answers: { info, volume }, nameOf, clock, unicode }) => {
    const { short } = fieldValues(MarketVolume, volume, clock);
    const withChange = (field: string, change: string): TextLine => {
      const value = short(field);
      const by = tradeChange(toDecimal(volume?.[change]), toDecimal(volume?.total_volume_change_24h));
      return value.length > 0 && by ? [...value, span(" "), changeSpan(by, unicode)] : value;
    };
    const program = textOf(info?.program_id ?? volume?.program_id);
    return [
      { label: "value locked", value: short("tvl") },
      { label: "volume 24h", value: withChange("total_volume_24h", "total_volume_change_24h") },
      { label: "trades 24h", value: withChange("total_trades_24h", "total_trades_change_24h") },
      { label: "reserves", value: joinLines(reserveLines(info, nameOf, clock), span(" + ", "note")) },
      { label: "program", value: program === undefined ? [] : [idSpan(program, nameOf, "program")] },
      { label: "created", value: fieldValues(MarketInfo, info, clock).short("create_block_time") },
    ];
  },
  tabs: [
    { name: "candles", endpoint: CANDLES },
    { name: "volume", endpoint: VOLUME },
    { name: "liquidity", endpoint: VOLUME },
    { name: "statistics", endpoint: VOLUME },
    { name: "positions", endpoint: endpointAt("/market/positions") },
    {
      name: "defi",
      endpoint: endpointAt("/token/defi/activities"),
      params: (id, { info }) => ({ address: mintsOf(info)[0], source: [id] }),
      isActive: ({ info }) => mintsOf(info).length > 0,
    },
    { name: "about", endpoint: INFO },
  ],
  panes: [
    { tab: "candles", minimum: { width: 58, height: 14 }, weight: 5 },
    { tab: "volume", minimum: { width: 52, height: 10 }, weight: 2 },
    { tab: "positions", minimum: { width: 58, height: 9 }, weight: 3 },
    { tab: "defi", minimum: { width: 58, height: 9 }, weight: 4 },
  ],
  days: 30,
});

const joinLines = (lines: readonly TextLine[], separator: TextLine[number]): TextLine =>
  lines.flatMap((line, at) => (at === 0 ? line : [separator, ...line]));

/** Returns a line per reserve of a pool, with its value where the price is known: `100 wSOL $15,000.00`. */
export function reserveLines(
  info: JsonObject | undefined,
  nameOf: NameOf,
  clock: Clock,
  prices: readonly (Json | undefined)[] = [],
): readonly TextLine[] {
  return reservesOf(info).map(({ token, amount }, at): TextLine => {
    const name = typeof token === "string" ? [idSpan(token, nameOf, "token")] : [];
    const [units, price] = [toNumber(amount), toNumber(prices[at])];
    const worth = units === undefined || price === undefined ? undefined : parseDecimal((units * price).toFixed(2));
    const value = worth ? [span(` ${formatUsd(worth, "brief")}`, "note")] : [];
    return [span(`${shortNumber(formatAs("amount", amount, clock).text)} `), ...name, ...value];
  });
}
