/** Well-known tokens of mainnet: their symbols can be typed instead of their mints, and impostors use them. */
import { BONK, JUP, NATIVE_SOL, USDC, WRAPPED_SOL } from "./samples.ts";

/** A token that is known by its symbol. */
export interface WellKnownToken {
  readonly symbol: string;
  readonly mint: string;
  readonly decimals: number;
}

/** Symbol, decimals and mint. SOL appears twice: SOL itself, and its wrapped token. */
const TABLE: readonly (readonly [symbol: string, decimals: number, mint: string])[] = [
  ["SOL", 9, NATIVE_SOL],
  ["wSOL", 9, WRAPPED_SOL],
  ["USDC", 6, USDC],
  ["USDT", 6, "Es9vMFrzaCERmJfrF4H2FYD4KCoNkY11McCe8BenwNYB"],
  ["PYUSD", 6, "2b1kV6DkPAnxd5ixfnxCpjxmKwqjjaYmCZfHsFu24GXo"],
  ["EURC", 6, "HzwqbKZw8HxMN6bF2yFZNrht3c2iXXzpKcFu7uBEDKtr"],
  ["USDS", 6, "USDSwr9ApdHk5bvJKMjzff41FfuX8bSxdKcR81vTwcA"],
  ["mSOL", 9, "mSoLzYCxHdYgdzU16g5QSh3i5K3z3KZK7ytfqcJm7So"],
  ["JitoSOL", 9, "J1toso1uCk3RLmjorhTtrVwY9HJ7X8V9yYac6Y7kGCPn"],
  ["bSOL", 9, "bSo13r4TkiE4KumL71LsHTPpL2euBYLFx6h9HP3piy1"],
  ["JupSOL", 9, "jupSoLaHXQiZZTSfEWMTRRgpnyFm8f6sZdosWBjx93v"],
  ["INF", 9, "5oVNBeEEQvYi1cX3ir8Dx5n1P7pdxydbGF2X4TxVusJm"],
  ["JUP", 6, JUP],
  ["BONK", 5, BONK],
  ["RAY", 6, "4k3Dyjzvzp8eMZWUXbBCjEvwSkkk59S5iCNLY3QrkX6R"],
  ["ORCA", 6, "orcaEKTdK7LKz57vaAYr9QeNsVEPfiu6QeMU1kektZE"],
  ["PYTH", 6, "HZ1JovNiVvGrGNiiYvEozEVgZ58xaU3RKwX8eACQBCt3"],
  ["JTO", 9, "jtojtomepa8beP8AuQc6eXt5FriJwfFMwQx2v2f9mCL"],
  ["W", 6, "85VBFQZC9TZkfaptBWjvUw7YbZjy52A6mjtPGjstQAmQ"],
  ["DRIFT", 6, "DriFtupJYLTosbwoN8koMbEYSx54aFAVLddWsbksjwg7"],
  ["KMNO", 6, "KMNo3nJsBXfcpJTVhZcXLW7RmTwTt4GVFE7suUBo9sS"],
  ["CLOUD", 9, "CLoUDKc4Ane7HeQcPpE3YHnznRxhMimJ4MyaUqyHFzAu"],
  ["MNDE", 9, "MNDEFzGvMt87ueuHvVU9VcTqsAP5b3fTGPsHuuPA5ey"],
  ["TNSR", 9, "TNSRxcUxoT9xBG3de7PiJyTDYu7kskLqcpddxnEJAS6"],
  ["HNT", 8, "hntyVP6YFm1Hg25TN9WGLqM12b8TQmcknKrdu1oxWux"],
  ["MOBILE", 6, "mb1eu7TzEc71KxDpsmsKoucSSuuoGLv1drys1oP2jh6"],
  ["RENDER", 8, "rndrizKT3MK1iimdxRdWabcF7Zg7AR5T4nud4EkHBof"],
  ["GRASS", 9, "Grass7B4RdKfBCjTKgSqnXkqjwiGvQyFbuSCUJr3XXjs"],
  ["wETH", 8, "7vfCXTUXx5WJV5JADk17DUJ4ksgau7utNKj4b963voxs"],
  ["wBTC", 8, "3NZ9JMVBmGAqocybic2c7LQCJScmgsAZ6vQqTDzcqmJh"],
  ["WIF", 6, "EKpQGSJtjMFqKZ9KQanSqYXRcF8fBopzLHYxdM65zcjm"],
  ["POPCAT", 9, "7GCihgDB8fe6KNjn2MYtkzZcRjQy3t9GHdC8uHYmW2hr"],
  ["MEW", 5, "MEW1gQWJ3nEXg2qgERiKu7FAFj79PHvQVREQUzScPP5"],
  ["BOME", 6, "ukHH6c7mMyiWCf1b9pnWe25TSpkDDt3H5pQZgZ74J82"],
  ["PENGU", 6, "2zMMhcVQEXDtdE6vsFS7S7D5oUodfJHE8vd1gnBouauv"],
  ["TRUMP", 6, "6p6xgHyF7AeE6TZkSmFsko444wqoP15icUSqi2jfGiPN"],
  ["FARTCOIN", 6, "9BB6NFEcjBCtnNLFko2FqVQBq8HHM13kCyYcdQbgpump"],
  ["PUMP", 6, "pumpCmXqMfrsAkQ5r49WcJnRayYRqmXz6ae8H7H9Dfn"],
  ["GMT", 9, "7i5KKsX2weiTkry7jA4ZwSuXGhs5eJBEjY8vVxR4pfRx"],
];

/** Well-known tokens, by mint. */
export const WELL_KNOWN_TOKENS: ReadonlyMap<string, WellKnownToken> = new Map(
  TABLE.map(([symbol, decimals, mint]) => [mint, { symbol, decimals, mint }]),
);

const BY_SYMBOL: ReadonlyMap<string, WellKnownToken> = new Map(
  [...WELL_KNOWN_TOKENS.values()].map((token) => [token.symbol.toUpperCase(), token]),
);

/**
 * Returns the well-known token with a symbol, ignoring case and a `$` before it; undefined when there is none.
 * @param accepts what SOL stands for: native SOL for an `asset`, by default the mint of wrapped SOL
 */
export function wellKnownToken(symbol: string, accepts: "mint" | "asset" = "mint"): WellKnownToken | undefined {
  const token = BY_SYMBOL.get(symbol.trim().replace(/^\$/, "").toUpperCase());
  return token?.mint === NATIVE_SOL && accepts === "mint" ? { ...token, mint: WRAPPED_SOL } : token;
}
