/** Automated market makers: constant product with a fee. */
import { NATIVE_SOL } from "../../../catalogue/index.ts";
import type { RouteFact } from "../../ledger/index.ts";
import type { ProgramName } from "../data/programs.ts";
import type { Account, Holding, Token } from "../economy/accounts.ts";
import type { Economy } from "../economy/economy.ts";
import type { Transaction } from "../economy/transaction.ts";

/** A program with pools: the names of its instructions, and its fee in basis points. */
export interface Exchange {
  readonly program: ProgramName;
  readonly label: string;
  readonly swap: string;
  readonly create: string;
  readonly add: string;
  readonly remove: string;
  readonly feeBps: number;
  /** Code of the error for too little output. */
  readonly slippageError: number;
  /** Whether shares are represented by an LP token. */
  readonly hasLpToken: boolean;
}

type ExchangeRow = readonly [
  ProgramName,
  label: string,
  instructions: string,
  feeBps: number,
  error: number,
  lp?: "lp",
];

/** By name: program, label, instructions (swap, create, add, remove), fee, error for too little output, LP token. */
const EXCHANGE_ROWS = {
  raydium: ["raydiumAmm", "raydium", "swapBaseIn initialize2 deposit withdraw", 25, 30, "lp"],
  clmm: ["raydiumClmm", "raydium", "swapV2 createPool increaseLiquidityV2 decreaseLiquidityV2", 20, 6022],
  orca: ["whirlpool", "whirlpool", "swapV2 initializePoolV2 increaseLiquidityV2 decreaseLiquidityV2", 16, 6036],
  meteora: [
    "meteoraDlmm",
    "meteora",
    "swap2 initializeLbPair2 addLiquidityByStrategy2 removeLiquidityByRange2",
    20,
    6003,
  ],
  pump: ["pumpSwap", "pumpswap", "sell createPool deposit withdraw", 30, 6004],
} as const satisfies Record<string, ExchangeRow>;

/** Name of an exchange. */
export type ExchangeName = keyof typeof EXCHANGE_ROWS;

/** Returns the exchange of a name. */
export function exchangeOf(name: ExchangeName): Exchange {
  const [program, label, instructions, feeBps, slippageError, lp]: ExchangeRow = EXCHANGE_ROWS[name];
  const [swap = "", create = "", add = "", remove = ""] = instructions.split(" ");
  return { program, label, swap, create, add, remove, feeBps, slippageError, hasLpToken: lp !== undefined };
}

const FULL_BPS = 10_000n;

/** A pool of two tokens; the balances of its vaults are its reserves. */
export class Pool {
  readonly account: Account;
  readonly program: Account;
  readonly exchange: Exchange;
  /** The priced token. */
  readonly base: Token;
  /** The token of the price: USDC or wrapped SOL. */
  readonly quote: Token;
  readonly baseVault: Holding;
  readonly quoteVault: Holding;
  readonly lp: Token | undefined;
  /** Whether its trades determine the price of the base token. */
  readonly isMain: boolean;
  /** All shares in units of liquidity: the supply of the LP token, if there is one. */
  shares = 0n;
  readonly #netBps: bigint;

  constructor(
    account: Account,
    program: Account,
    exchange: Exchange,
    vaults: readonly [base: Holding, quote: Holding],
    more: { readonly lp: Token | undefined; readonly isMain: boolean },
  ) {
    this.account = account;
    this.program = program;
    this.exchange = exchange;
    [this.baseVault, this.quoteVault] = vaults;
    this.base = this.baseVault.token;
    this.quote = this.quoteVault.token;
    this.lp = more.lp;
    this.isMain = more.isMain;
    this.#netBps = FULL_BPS - BigInt(exchange.feeBps);
  }

  has(token: Token): boolean {
    return token === this.base || token === this.quote;
  }

  otherToken(token: Token): Token {
    return token === this.base ? this.quote : this.base;
  }

  vault(token: Token): Holding {
    return token === this.base ? this.baseVault : this.quoteVault;
  }

  /** Returns the output for an input of `amount` of `token`; the fee remains in the pool. */
  amountOut(token: Token, amount: bigint): bigint {
    const [into, from] = token === this.base ? [this.baseVault, this.quoteVault] : [this.quoteVault, this.baseVault];
    const netInput = amount * this.#netBps;
    return (netInput * from.amount) / (into.amount * FULL_BPS + netInput);
  }

  /** Price of one whole base token in dollars, by the reserves. */
  get price(): number {
    const { base, quote } = this;
    return (
      ((Number(this.quoteVault.amount) / quote.unitsPerToken) * quote.price) /
      (Number(this.baseVault.amount) / base.unitsPerToken)
    );
  }

  /** Value of the quote vault in dollars. */
  get depth(): number {
    return (Number(this.quoteVault.amount) / this.quote.unitsPerToken) * this.quote.price;
  }
}

/** Sets the prices that a main pool determines, until a rollback, and returns them for the route. */
export function settlePrice(economy: Economy, tx: Transaction, pool: Pool): RouteFact["prices"] {
  if (!pool.isMain) return undefined;
  const { base } = pool;
  const before = base.price;
  const price = pool.price;
  setPrice(economy, base, price);
  tx.onRollback(() => setPrice(economy, base, before));
  return base === economy.wrapped
    ? [
        [base.address, price],
        [NATIVE_SOL, price],
        [pool.quote.address, pool.quote.price],
      ]
    : [[base.address, price]];
}

function setPrice(economy: Economy, token: Token, price: number): void {
  token.price = price;
  if (token === economy.wrapped) economy.sol.price = price;
}
