/** A trader with regular purchases and stakes: the sample wallet of the documentation. */
import { DAY_SECONDS } from "../../../base/index.ts";
import { OTHER_WALLET, WHIRLPOOL } from "../../../catalogue/index.ts";
import type { Actor, WorldContext } from "../context.ts";
import type { Stake } from "../economy/accounts.ts";
import { payRewards } from "../staking/rewards.ts";
import { createStake } from "../staking/stakes.ts";
import { Traders } from "./traders.ts";
import { lamports } from "./wallets.ts";

/** Tokens that the trader buys in rotation. */
const SAVINGS_SYMBOLS = ["JUP", "BONK", "JitoSOL", "WIF"];
/** Days before the next token of the rotation. */
const PURCHASE_DAYS = 2;
/** Stakes with the first validators, in SOL. */
const STAKED_SOL = [120, 35.5];

/** Returns the trader, who is also the most active of the users. */
export function createRegularTrader(context: WorldContext): Actor[] {
  const { economy, market, wallets, validators } = context;
  const traders = new Traders(context);
  const account = economy.wallet(OTHER_WALLET);
  const stakes: Stake[] = [];
  const stake = (amount: number, index: number): void => {
    const voter = validators[index]?.vote;
    if (!voter) return;
    const tx = economy.begin(account);
    const created = createStake(economy, tx, { lamports: lamports(amount), voter });
    if (tx.commit()) stakes.push(created);
  };
  return [
    {
      weight: 16,
      open() {
        wallets.fund(account, lamports(720));
        wallets.users.unshift(account);
        for (const [index, amount] of STAKED_SOL.entries()) stake(amount, index);
      },
      act() {
        traders.swapDirect(account);
      },
      epoch() {
        payRewards(economy, validators, stakes);
      },
      day() {
        const purchase = Math.floor(economy.position.time / DAY_SECONDS / PURCHASE_DAYS);
        const token = market.token(SAVINGS_SYMBOLS[purchase % SAVINGS_SYMBOLS.length] as string) ?? market.token("JUP");
        if (token) traders.swapRouted(account, token);
        const pool = market.pools.find(
          ({ program, base }) => program.address === WHIRLPOOL && base === economy.wrapped,
        );
        if (!pool) return;
        const amount = lamports(0.5);
        wallets.ensureFunds(account, amount);
        market.swap({ trader: account, hops: [{ token: economy.wrapped, pools: [pool] }], amount });
      },
    },
  ];
}
