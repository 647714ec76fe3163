/** Values of rows that the API filters by value and sends without one: those of their amounts at the latest prices. */
import { useMemo } from "react";
import type { Json } from "../../../base/index.ts";
import { type Shape, wrapSol } from "../../../catalogue/index.ts";
import { valueAtPrice } from "../../../client/index.ts";
import { createDerivedFieldReader, withDerivedFields } from "../../../output/index.ts";
import { useLatestPrices, useShownPrices } from "../../data/hooks.ts";

/** Returns rows with their values, as far as the quota allows prices, and their shape. */
export function useRowValues(rows: readonly Json[], shape: Shape, isShown: boolean, part: string) {
  const reader = useMemo(() => createDerivedFieldReader(shape), [shape]);
  const prices = useLatestPrices(isShown && reader.canRead("value"));
  const version = prices?.version();
  const mints = useMemo(
    () => (prices ? [...new Set(reader.pricedMints(rows).map(wrapSol))] : []),
    [prices, reader, rows],
  );
  useShownPrices(prices, `${part} values`, mints);
  // biome-ignore lint/correctness/useExhaustiveDependencies: prices of another version give other values.
  return useMemo(() => {
    if (!prices) return { rows, shape };
    const valued = reader.add(rows, ["value"], (mint, amount) => valueAtPrice(prices.of(wrapSol(mint)), amount));
    return { rows: valued, shape: withDerivedFields(shape, ["value"]) };
  }, [prices, version, reader, rows, shape]);
}
