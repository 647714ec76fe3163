/** The addresses that exchanges derive: of pools and their vaults, and of the accounts that hold liquidity at a price. */
import { Buffer } from "node:buffer";
import { PRICE_STEPS, tickOf } from "../../solana/index.ts";
import type { Account, Seeds, Token } from "../economy/accounts.ts";
import type { Economy } from "../economy/economy.ts";
import type { ExchangeName } from "./exchanges.ts";

/** Accounts of exchanges on mainnet: the market of the order book of Raydium, and the settings of Orca. */
const ORDER_BOOK = "srmqPvymJeFKQ4zGQed1GFppgkRHL9kaELCbyksJtPX";
const WHIRLPOOLS_CONFIG = "2LecshUwdy9xi7meFgHtFJQNSKk4KdTrcpvaB56dP2NQ";

/** Where a pool, its vaults and the mint of its shares are. */
interface PoolAddresses {
  readonly seeds: Seeds;
  /** Vaults without seeds have key pairs, or are the associated accounts of the pool. */
  readonly vaultSeeds?: (pool: Account, side: "coin" | "pc", mint: Account) => Seeds;
  readonly lpSeeds?: Seeds;
  /** The market of the order book. */
  readonly market?: Account;
}

interface PoolKey {
  readonly program: Account;
  readonly creator: Account;
  /** In the order of the program. */
  readonly mints: readonly [Account, Account];
}

const u16 = (value: number): Uint8Array => Uint8Array.of(value & 0xff, value >> 8);

/** Returns the seeds by which an exchange derives a pool. */
export function poolAddresses(economy: Economy, exchange: ExchangeName, key: PoolKey): PoolAddresses {
  const { program, creator, mints } = key;
  switch (exchange) {
    case "raydium": {
      const orderBook = economy.account("program", economy.programs.loader.address, { address: ORDER_BOOK });
      const market = economy.programAccount("account", orderBook);
      const from = (name: string): Seeds => [program, market, `${name}_associated_seed`];
      return { seeds: from("amm"), vaultSeeds: (_, side) => from(`${side}_vault`), lpSeeds: from("lp_mint"), market };
    }
    case "clmm": {
      const config = economy.derive(program, ["amm_config", Uint8Array.of(0, 1)]);
      const vaultSeeds = (pool: Account, _: string, mint: Account): Seeds => ["pool_vault", pool, mint];
      return { seeds: ["pool", config, ...mints], vaultSeeds };
    }
    case "orca": {
      const config = economy.account("account", program.address, { address: WHIRLPOOLS_CONFIG });
      return { seeds: ["whirlpool", config, ...mints, u16(TICK_SPACING.orca)] };
    }
    case "meteora": {
      const preset = economy.derive(program, ["preset_parameter2", u16(0)]);
      const sorted = [...mints].sort((a, b) => Buffer.compare(a.bytes, b.bytes));
      return { seeds: [preset, ...sorted], vaultSeeds: (pool, _, mint) => [pool, mint] };
    }
    case "pump":
      return { seeds: ["pool", u16(0), creator, ...mints] };
  }
}

/** Steps of the prices at which liquidity can begin and end. */
const TICK_SPACING = { orca: 64, clmm: 10, meteora: 1 } as const;

/** Number of ticks, or of prices, in an account. */
const ARRAY_SIZE = { orca: 88, clmm: 60, meteora: 70 } as const;

/** A price in the units of an exchange. */
export interface PricePoint {
  /** The tick, or the number of the price. */
  readonly tick: number;
  /** Seeds of the accounts with the liquidity at the price, and beyond it in the direction of a swap. */
  readonly arrays: Readonly<Record<"tick0" | "tick1" | "tick2", Uint8Array>>;
}

const isConcentrated = (exchange: ExchangeName): exchange is keyof typeof TICK_SPACING =>
  Object.hasOwn(TICK_SPACING, exchange);

/**
 * Returns the price as concentrated liquidity counts it; undefined for other exchanges.
 * @param ratio base units of the second token for one of the first
 * @param falls whether swaps lower the price
 */
export function pricePoint(exchange: ExchangeName, ratio: number, falls: boolean): PricePoint | undefined {
  if (!isConcentrated(exchange)) return undefined;
  const tick = tickOf(ratio, exchange === "meteora" ? PRICE_STEPS.bin : PRICE_STEPS.tick);
  const size = ARRAY_SIZE[exchange] * TICK_SPACING[exchange];
  const first = Math.floor(tick / size);
  const seed = (offset: number): Uint8Array => {
    const number = first + (falls ? -offset : offset);
    if (exchange === "orca") return Buffer.from(String(number * size));
    const bytes = Buffer.alloc(exchange === "clmm" ? 4 : 8);
    if (exchange === "clmm") bytes.writeInt32BE(number * size);
    else bytes.writeBigInt64LE(BigInt(number));
    return bytes;
  };
  return { tick, arrays: { tick0: seed(0), tick1: seed(1), tick2: seed(2) } };
}

/** Returns the two tokens of a pool in the order of the exchange: by address, or the priced token first. */
export function orderTokens(exchange: ExchangeName, base: Token, quote: Token): readonly [Token, Token] {
  const isSorted = exchange === "orca" || exchange === "clmm";
  return isSorted && Buffer.compare(base.account.bytes, quote.account.bytes) > 0 ? [quote, base] : [base, quote];
}
