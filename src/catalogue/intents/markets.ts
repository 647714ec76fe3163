/** What people want who need an endpoint about pools, by command; phrases are separated by semicolons. */
export const MARKET_INTENTS = {
  "market list": `list of pools; biggest liquidity pools by volume; all pools of Raydium, Orca or Meteora;
    newest pools; recently created pools; most traded pools; top markets; pools of a program`,
  "market info": `details of a pool; which tokens are in a pool; reserves of a liquidity pool; liquidity in a pool;
    who created a pool and when; LP token of a pool; look up a pool address`,
  "market volume": `volume of a pool; how much was traded in a pool; TVL of a pool over time;
    trades of a pool per day; value locked in a market; volume of a pool by day`,
  "market positions": `liquidity providers of a pool; who provides liquidity to a pool; LP positions in a pool;
    open positions of a concentrated liquidity pool; price ranges of liquidity providers`,
  "market price-ohlcv": `candles of a pool; price chart of a trading pair; OHLCV of a pool address;
    open, high, low and close of a market; candlestick chart of a pair`,
};
