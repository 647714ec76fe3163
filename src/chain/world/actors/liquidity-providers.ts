/** Liquidity providers: deposits into pools, and orders in order books. */
import type { Actor, WorldContext } from "../context.ts";
import type { Account, Holding, Token } from "../economy/accounts.ts";
import { TOP_LEVEL } from "../economy/instructions.ts";
import type { Roles } from "../economy/roles.ts";
import type { Transaction } from "../economy/transaction.ts";
import { addLiquidity, removeLiquidity } from "../markets/market.ts";
import type { Pool } from "../markets/pools.ts";
import { readVenueRoles } from "../markets/venues.ts";
import { lamports } from "./wallets.ts";

/** Number of positions that are in the main pools, the first ones of the market, before there are any in others. */
const MAIN_POSITIONS = 180;
const MAIN_POOLS = 14;

interface Position {
  readonly owner: Account;
  readonly pool: Pool;
  shares: bigint;
}

/** Returns users who add liquidity to pools and remove it. */
export function createLiquidityProviders({ economy, wallets, market, random: root }: WorldContext): Actor[] {
  const random = root.fork("providers");
  const positions: Position[] = [];
  const pickPool = (): Pool =>
    positions.length < MAIN_POSITIONS ? random.pick(market.pools.slice(0, MAIN_POOLS)) : random.pickEarly(market.pools);
  const add = (): void => {
    const pool = pickPool();
    let owner = wallets.pickUser();
    const holdsBoth = (account: Account): boolean =>
      (pool.base === economy.wrapped || account.balance(pool.base) > 0n) &&
      (pool.quote === economy.wrapped || account.balance(pool.quote) > 0n);
    for (let attempt = 0; attempt < 4 && !holdsBoth(owner); attempt++) owner = wallets.pickUser();
    if (!holdsBoth(owner)) owner = wallets.marketMakers[0] as Account;
    // SOL is wrapped in the same transaction.
    const limit = pool.base === economy.wrapped ? wallets.spendable(owner) / 4n : owner.balance(pool.base);
    let amount = pool.quote.amountWorth(random.heavyTailed(50, 40_000));
    const fair = (limit * pool.quoteVault.amount) / pool.baseVault.amount;
    if (fair < amount) amount = fair;
    if (pool.quote === economy.wrapped) wallets.ensureFunds(owner, amount + lamports(0.1));
    else {
      const balance = owner.balance(pool.quote);
      if (balance < amount) amount = balance;
    }
    if (amount === 0n) return;
    const shares = addLiquidity(market, pool, owner, amount);
    if (shares > 0n) positions.push({ owner, pool, shares });
  };
  const remove = (): void => {
    if (positions.length === 0) add();
    const index = random.integer(0, positions.length - 1);
    const position = positions[index];
    if (!position) return;
    const all = random.chance(0.5);
    const shares = all ? position.shares : position.shares / 2n;
    wallets.ensureFunds(position.owner, lamports(0.05));
    if (!removeLiquidity(market, position.pool, position.owner, shares)) return;
    position.shares -= shares;
    if (all) positions.splice(index, 1);
  };
  return [
    { weight: 9, act: add },
    { weight: 7, act: remove },
  ];
}

/** Units of the price of an order: base units of the quote token for so many of the base token. */
const PRICE_LOT = 1000n;

interface BookVisit {
  readonly account: Account;
  readonly vaults: ReadonlyMap<Token, Holding>;
  readonly trader: Account;
  readonly vault: Holding;
  readonly other: Token;
}

/** Returns market makers with orders on Phoenix and OpenBook; the offered tokens are held in the vaults of the books. */
export function createOrderBookTraders({ economy, wallets, market, random: root }: WorldContext): Actor[] {
  const random = root.fork("orders");
  const { phoenix, openbook } = economy.programs;
  const books = (
    [
      [phoenix, "placeLimitOrder"],
      [openbook, "placeOrder"],
    ] as const
  ).map(([program, order]) => ({
    program,
    order,
    account: economy.programAccount("account", program),
    vaults: new Map<Token, Holding>(),
  }));
  /** Returns the accounts of a trader who moves the token of a vault, and of the market with another token. */
  const bookRoles = (tx: Transaction, { account, vaults, trader, vault, other }: BookVisit): Roles => {
    const { usdc } = market;
    const [base, quote] = other === usdc ? [vault.token, other] : [other, vault.token];
    const vaultOf = (token: Token) => (token === vault.token ? vault : vaults.get(token))?.account;
    return {
      ...readVenueRoles(tx, { account, token: vault.token, vault }, trader),
      ...{ baseMint: base.account, baseAccount: tx.holding(trader, base).account, baseVault: vaultOf(base) },
      ...{ quoteMint: quote.account, quoteAccount: tx.holding(trader, quote).account, quoteVault: vaultOf(quote) },
    };
  };
  const place = (): void => {
    const { program, account, vaults, order } = random.pick(books);
    const trader = wallets.marketMakers[random.integer(1, 2)] as Account;
    const { token: listed } = random.pickEarly(market.listings);
    const target = listed === market.usdc ? economy.wrapped : listed;
    const isAsk = target !== economy.wrapped && trader.balance(target) > 1000n && random.chance(0.5);
    const [token, other] = isAsk ? [target, market.usdc] : [market.usdc, target];
    const balance = trader.balance(token);
    let amount = token.amountWorth(random.heavyTailed(40, 20_000));
    if (amount > balance / 10n) amount = balance / 10n;
    if (amount === 0n) return;
    const tx = economy.begin(trader, { priority: 3000, usesLookupTable: true });
    const known = vaults.get(token);
    const vault = known ?? tx.openVault(account, token);
    const side = isAsk ? "ask" : "bid";
    const out = { token: other, amount: other.amountWorth(Number(token.value(amount)) / 1_000_000) };
    const [baseLots, quoteLots] = isAsk ? [amount, out.amount] : [out.amount, amount];
    const price = (quoteLots * PRICE_LOT) / (baseLots || 1n) || 1n;
    const info = { side, price: String(price), baseLots: String(baseLots), quoteLots: String(quoteLots) };
    const roles = bookRoles(tx, { account, vaults, trader, vault, other });
    const instruction = tx.call(program, order, "placeOrder", roles, TOP_LEVEL, info);
    tx.transferToken(trader, vault, token, amount, instruction);
    const activity = { instruction, type: "ACTIVITY_ORDERBOOK_ORDER_PLACE", user: trader } as const;
    tx.activities.addVisit({ ...activity, pool: account, program, isTrade: false, in: { token, amount }, out });
    if (tx.commit() && !known) vaults.set(token, vault);
  };
  const cancel = (): void => {
    const { program, account, vaults } = random.pick(books);
    const filled = [...vaults.values()].filter(({ amount }) => amount > 0n);
    const vault = filled[random.integer(0, filled.length - 1)];
    if (!vault) return;
    const trader = wallets.marketMakers[random.integer(1, 2)] as Account;
    const tx = economy.begin(trader, { priority: 3000, usesLookupTable: true });
    const other = vault.token === market.usdc ? economy.wrapped : market.usdc;
    const roles = bookRoles(tx, { account, vaults, trader, vault, other });
    const instruction = tx.call(program, "cancelAllOrders", "cancelOrder", roles);
    tx.transferToken(vault, trader, vault.token, vault.amount / 2n, instruction);
    tx.commit();
  };
  return [
    { weight: 12, act: place },
    { weight: 2, act: cancel },
  ];
}
