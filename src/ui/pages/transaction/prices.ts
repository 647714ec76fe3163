/** Prices of the tokens of a transaction on its day: one request for all of them, sent while units are ample. */
import { useMemo, useState } from "react";
import { countOf, DAY_SECONDS, fieldOf, type Json, listOf, textOf, toNumber } from "../../../base/index.ts";
import { NATIVE_SOL, WRAPPED_SOL } from "../../../catalogue/index.ts";
import { useResource } from "../../data/hooks.ts";
import { canPrefetch } from "../../data/key-usage.ts";
import { useExplorer } from "../../navigation/context.ts";
import { endpointAt } from "../../widgets/cells.ts";
import { attemptedTransfers } from "./flow.ts";
import { isDollar, type PriceOf } from "./formatter.ts";

const PRICES = endpointAt("/token/price/multi");
/** Tokens of a request; the rest is of no importance for the story. */
const MAX_TOKENS = 20;
/** Returns the tokens whose prices a transaction needs: none where only dollars move. */
function pricedTokens(detail: Json | undefined): readonly string[] {
  const attempted = attemptedTransfers(detail).map((transfer) => fieldOf(transfer, "token_address"));
  const mints = [...listOf(fieldOf(detail, "tokens_involved")), ...attempted]
    .map(textOf)
    .filter((mint) => mint !== undefined && !isDollar(mint))
    .map((mint) => (mint === NATIVE_SOL || mint === undefined ? WRAPPED_SOL : mint));
  // The fee is in SOL.
  return mints.length === 0 ? [] : [...new Set([WRAPPED_SOL, ...mints])].slice(0, MAX_TOKENS);
}

/** Returns the prices in an answer: the latest of each token up to the day. */
export function priceLookup(series: readonly Json[]): PriceOf {
  const prices = new Map(
    series.flatMap((one): readonly (readonly [string, number])[] => {
      const [mint, price] = [
        textOf(fieldOf(one, "token_address")),
        toNumber(fieldOf(listOf(fieldOf(one, "prices")).at(-1), "price")),
      ];
      return mint === undefined || price === undefined ? [] : [[mint, price]];
    }),
  );
  return (mint) => prices.get(mint === NATIVE_SOL ? WRAPPED_SOL : mint) ?? (isDollar(mint) ? 1 : undefined);
}

/** Returns the day of a time as the number YYYYMMDD. */
function dayOf(seconds: number): number {
  return Number(new Date(seconds * 1000).toISOString().slice(0, 10).replaceAll("-", ""));
}

const NO_SERIES: readonly Json[] = [];

/** Returns the prices for a transaction; only those of dollars without an answer. */
export function useTransactionPrices(detail: Json | undefined): PriceOf {
  const { services, data } = useExplorer();
  const [isAmple] = useState(() => canPrefetch(data.quota()));
  const time = countOf(fieldOf(detail, "block_time"));
  const tokens = useMemo(() => pricedTokens(detail), [detail]);
  const params = useMemo(
    () => ({
      address: tokens,
      // The price of the day itself may be missing.
      ...(time !== undefined && { from_time: dayOf(time - DAY_SECONDS), to_time: dayOf(time) }),
    }),
    [tokens, time],
  );
  const isNeeded = isAmple && time !== undefined && tokens.length > 0 && services.supports(PRICES);
  const { answer } = useResource(PRICES, params, isNeeded);
  const series = answer?.rows ?? NO_SERIES;
  return useMemo(() => priceLookup(series), [series]);
}
