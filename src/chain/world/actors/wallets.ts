/** The wallets of a world: users, exchanges and market makers. */
import type { Account, Token } from "../economy/accounts.ts";
import type { SendOptions } from "../economy/draft.ts";
import type { Economy } from "../economy/economy.ts";
import type { Random } from "../random.ts";

/** Lamports of one SOL. */
export const SOL = 1_000_000_000n;
const CENT = SOL / 100n;
/** Lamports that wallets reserve for fees and rents. */
const RESERVE = SOL / 20n;

/** Converts SOL to lamports, rounded. */
export const lamports = (sol: number): bigint => BigInt(Math.round(sol * 1_000_000_000));

/** All wallets by role. */
export class Wallets {
  readonly economy: Economy;
  readonly random: Random;
  /** Wallets of users, the most active first. */
  readonly users: Account[] = [];
  /** Hot wallets of exchanges, largest first. */
  readonly exchanges: Account[] = [];
  /** Cold wallets of exchanges, which own most of all SOL. */
  readonly coldWallets: Account[] = [];
  /** Wallets of firms that make markets. */
  readonly marketMakers: Account[] = [];

  constructor(economy: Economy, random: Random) {
    this.economy = economy;
    this.random = random;
  }

  /** Returns a random user; a few are picked far more often than the others. */
  pickUser(): Account {
    return this.random.pickEarly(this.users);
  }

  /** Returns a random user other than `excluded`, or an exchange. */
  pickOtherUser(excluded: Account): Account {
    for (let attempt = 0; attempt < 4; attempt++) {
      const other = this.pickUser();
      if (other !== excluded) return other;
    }
    return this.exchanges[0] === excluded ? this.pickUser() : (this.exchanges[0] as Account);
  }

  /** Returns a random exchange, usually a large one. */
  pickExchange(): Account {
    return this.random.pickEarly(this.exchanges);
  }

  /** Returns the lamports of an account beyond its reserve. */
  spendable(account: Account): bigint {
    return account.lamports > RESERVE ? account.lamports - RESERVE : 0n;
  }

  /** Has an exchange send lamports in a separate transaction, and returns whether it succeeded. */
  fund(account: Account, amount: bigint): boolean {
    const exchange = this.pickExchange();
    return this.economy.send(exchange, (tx) => tx.transferSol(exchange, account, amount), { priority: 1000 });
  }

  sendTokens(from: Account, to: Account, token: Token, amount: bigint, options?: SendOptions): void {
    this.economy.send(from, (tx) => tx.transferToken(from, to, token, amount), options);
  }

  /** Has an exchange send the lamports, and some more, that an account lacks to spend `amount`. Returns the account. */
  ensureFunds(account: Account, amount: bigint): Account {
    const spendable = this.spendable(account);
    if (spendable < amount) {
      const missing = ((amount - spendable) * 3n) / 2n + RESERVE * 2n;
      this.fund(account, (missing / CENT + 1n) * CENT);
    }
    return account;
  }

  /** Returns a user who can spend `amount` lamports, preferably one who need not be funded first. */
  pickWithSol(amount: bigint): Account {
    let user = this.pickUser();
    for (let attempt = 0; attempt < 5 && this.spendable(user) < amount; attempt++) user = this.pickUser();
    return this.ensureFunds(user, amount);
  }

  /** Adds a user with a new wallet, funded by an exchange. */
  addUser(): Account {
    const account = this.economy.wallet();
    this.fund(account, lamports(this.random.roundSometimes(this.random.heavyTailed(0.8, 4000))));
    if (account.lamports > 0n) this.users.push(account);
    return account;
  }
}
