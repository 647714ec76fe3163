/** DeFi activities at venues other than exchanges: staking pools, vaults and lending markets. */
import type { Account } from "../economy/accounts.ts";
import type { DefiActivityType, TokenAmount } from "../economy/activities.ts";
import type { Transaction } from "../economy/transaction.ts";

/** An activity of a user at a venue. */
export interface VenueActivity {
  readonly type: DefiActivityType;
  readonly instruction: number;
  readonly user: Account;
  /** Program account of the venue. */
  readonly account: Account;
  readonly program: Account;
  readonly in: TokenAmount;
  readonly out?: TokenAmount;
}

/** Records an activity, with the venue as its only route. */
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
