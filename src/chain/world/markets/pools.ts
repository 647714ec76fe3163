/** Automated market makers: constant product with a fee. */
import { NATIVE_SOL } from "../../../catalogue/index.ts";
import type { RouteFact } from "../../ledger/index.ts";
import type { Account, Holding, Token } from "../economy/accounts.ts";
import type { Economy } from "../economy/economy.ts";
import type { Roles } from "../economy/roles.ts";
import type { Transaction } from "../economy/transaction.ts";
import type { Exchange } from "./exchanges.ts";
import { orderTokens, type PricePoint, pricePoint } from "./pool-addresses.ts";

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
  /** The accounts that are the same in all instructions. */
  readonly roles: Roles;
  readonly #netBps: bigint;

  constructor(
    account: Account,
    program: Account,
    exchange: Exchange,
    vaults: readonly [base: Holding, quote: Holding],
    more: { readonly lp: Token | undefined; readonly isMain: boolean; readonly roles: Roles },
  ) {
    this.roles = more.roles;
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

  /** Returns where the price is, as concentrated liquidity counts it, and what lies ahead of a swap of `token`. */
  pricePoint(token: Token = this.base): PricePoint | undefined {
    const [first, second] = orderTokens(this.exchange.name, this.base, this.quote);
    const ratio = Number(this.vault(second).amount) / Number(this.vault(first).amount);
    return pricePoint(this.exchange.name, ratio, token === first);
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
