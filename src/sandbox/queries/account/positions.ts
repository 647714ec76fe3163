/** Positions of accounts in pools. */
import type { JsonObject } from "../../../base/index.ts";
import type { Reader } from "../../ledger/reader.ts";
import { exact, transactionIn, unixOf } from "../sql.ts";

/**
 * Shares of pools that an account holds as liquidity tokens, each worth its part of what is in the pool; the position
 * has the address of the token account that holds them. Shares of the whole price range are always within it.
 * @param holder the column of `balances b` that is the account
 */
export function positionsOf(db: Reader, holder: string, account: number): readonly JsonObject[] {
  const rows = db.all(
    `SELECT b.account_id, b.owner_id, b.token_id, p.account_id AS pool_id, p.program_id, v.tvl,
      ${exact("b.amount")} AS amount, ${exact("s.supply")} AS supply, k.time
    FROM pools p CROSS JOIN balances b ON b.token_id = p.lp_id AND ${holder} = ?
    CROSS JOIN token_stats s ON s.token_id = b.token_id CROSS JOIN pool_stats v ON v.pool_id = p.account_id
    CROSS JOIN transactions x ON x.id = (
      SELECT ${transactionIn("min(c.id)")} FROM balance_changes c
      WHERE c.account_id = b.account_id AND c.token_id = b.token_id
    ) CROSS JOIN blocks k ON k.slot = x.slot
    WHERE b.amount > 0 AND s.supply > 0 ORDER BY p.account_id, b.account_id`,
    account,
  );
  return rows.map((row) => ({
    position_id: db.addressOf(Number(row.account_id)),
    created_time: unixOf(db.clock, row.time),
    token_address: db.addressOf(Number(row.token_id)),
    position_owner: db.addressOf(Number(row.owner_id)),
    position_value: (Number(row.tvl) * Number(row.amount)) / Number(row.supply),
    pool_id: db.addressOf(Number(row.pool_id)),
    program: db.addressOf(Number(row.program_id)),
    position_type: "spot",
    is_position_in_range: true,
  }));
}
