/** The people: their wallets, and the exchanges that fund them. */
import type { Account } from "../economy/accounts.ts";
import type { Economy } from "../economy/economy.ts";
import type { Random } from "../random.ts";

/** Lamports of one SOL. */
export const SOL = 1_000_000_000n;
const CENT = SOL / 100n;
/** What wallets keep for fees and rents. */
const RESERVE = SOL / 20n;

/** SOL to lamports, rounded. */
export const lamports = (sol: number): bigint => BigInt(Math.round(sol * 1_000_000_000));

/** Everybody with a wallet. */
export class Wallets {
  readonly economy: Economy;
  readonly random: Random;
  /** Ordinary wallets, the busy ones first. */
  readonly users: Account[] = [];
  /** Hot wallets of exchanges, the greatest first. */
  readonly exchanges: Account[] = [];
  /** Cold wallets of exchanges: most of all SOL is theirs. */
  readonly coldWallets: Account[] = [];
  /** Firms with deep pockets that make markets. */
  readonly marketMakers: Account[] = [];

  constructor(economy: Economy, random: Random) {
    this.economy = economy;
    this.random = random;
  }

  /** Somebody; a few are picked far more often than the others. */
  pickUser(): Account {
    return this.random.pickEarly(this.users);
  }

  /** Somebody else. */
  pickOtherUser(excluded: Account): Account {
    for (let attempt = 0; attempt < 4; attempt++) {
      const other = this.pickUser();
      if (other !== excluded) return other;
    }
    return this.exchanges[0] === excluded ? this.pickUser() : (this.exchanges[0] as Account);
  }

  /** An exchange, mostly a great one. */
  pickExchange(): Account {
    return this.random.pickEarly(this.exchanges);
  }

  /** Lamports that an account can do without. */
  spendable(account: Account): bigint {
    return account.lamports > RESERVE ? account.lamports - RESERVE : 0n;
  }

  /** An exchange sends SOL, in a transaction of its own. */
  fund(account: Account, amount: bigint): boolean {
    const pickExchange = this.pickExchange();
    const tx = this.economy.begin(pickExchange, { priority: 1000 });
    tx.transferSol(pickExchange, account, amount);
    return tx.commit();
  }

  /** Makes sure that an account has so many lamports to spend; an exchange sends what is missing and more, in cents. */
  ensureFunds(account: Account, amount: bigint): Account {
    const spendable = this.spendable(account);
    if (spendable < amount) {
      const missing = ((amount - spendable) * 3n) / 2n + RESERVE * 2n;
      this.fund(account, (missing / CENT + 1n) * CENT);
    }
    return account;
  }

  /** Somebody with so many lamports to spend; rather one who has them than one who must be funded. */
  pickWithSol(amount: bigint): Account {
    let user = this.pickUser();
    for (let attempt = 0; attempt < 5 && this.spendable(user) < amount; attempt++) user = this.pickUser();
    return this.ensureFunds(user, amount);
  }

  /** A new wallet, funded by an exchange or by `funder`; it joins the ordinary wallets. */
  addUser(funder?: Account, address?: string): Account {
    const account = this.economy.wallet(address);
    const amount = lamports(this.random.roundSometimes(this.random.heavyTailed(0.8, 4000)));
    if (funder && this.spendable(funder) > amount) {
      const tx = this.economy.begin(funder);
      tx.transferSol(funder, account, amount);
      tx.commit();
    } else this.fund(account, amount);
    if (account.lamports > 0n) this.users.push(account);
    return account;
  }
}
