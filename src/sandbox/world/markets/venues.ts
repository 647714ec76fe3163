/** DeFi activities at a single place that is no exchange: a staking pool, a vault, a lending market. */
import type { Account } from "../economy/accounts.ts";
import type { DefiActivityType, TokenAmount } from "../economy/activities.ts";
import type { Transaction } from "../economy/transaction.ts";

/** What somebody did, and where. */
export interface VenueActivity {
  readonly type: DefiActivityType;
  readonly instruction: number;
  readonly user: Account;
  /** The account that the program keeps of the place. */
  readonly account: Account;
  readonly program: Account;
  readonly in: TokenAmount;
  readonly out?: TokenAmount;
}

/** Writes the activity down, with the place as its only route. */
export function recordVenueActivity(
  tx: Transaction,
  { type, instruction, user, account, program, ...legs }: VenueActivity,
): void {
  const value = legs.in.token.value(legs.in.amount) || (legs.out?.token.value(legs.out.amount) ?? 0n);
  const route = tx.activities.createRoute({ pool: account, program, trade: false, value, ...legs });
  tx.activities.addDefi({
    type,
    instruction,
    from: user,
    to: account,
    platform: program,
    value,
    routes: [route],
    ...legs,
  });
}
