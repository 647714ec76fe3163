/** Swaps on exchanges whose layouts are public, confirmed by the balances of their pools. */
export {
  type Exchanges,
  findExchanges,
  findLiquidityChanges,
  findSwaps,
  type LiquidityChange,
  type PoolSwap,
  type RouteSwap,
  type Swap,
  type SwapLeg,
} from "./swaps.ts";
