/** Stakes of wallets. */

import { type JsonObject, omitMissing } from "../../../../base/index.ts";
import { epochAt } from "../../store/epochs.ts";
import type { LedgerReader } from "../../store/reader.ts";
import { SOL } from "../../store/schema.ts";
import type { Query } from "../query.ts";
import { amountOf, asText, idOrUnknown, pageLimits, sortDirection } from "../sql.ts";

/** A stake account of a wallet; lamports are exact. */
export interface WalletStake {
  readonly id: number;
  /** undefined for a stake that was never delegated: it is inactive. */
  readonly voter: string | undefined;
  readonly staker: string;
  /** The roles of the wallet. */
  readonly roles: readonly string[];
  readonly status: "activating" | "active" | "deactivating" | "inactive";
  readonly delegated: bigint;
  /** Lamports that currently earn rewards. */
  readonly active: bigint;
  readonly activation: number;
  /** −1 while the stake is delegated. */
  readonly deactivation: number;
}

/** Returns the epoch of the newest block. */
function currentEpoch(db: LedgerReader): number {
  const row = db.get("SELECT max(slot) AS slot FROM blocks");
  return epochAt(db, Number(row?.slot ?? 0));
}

/**
 * Returns the status of a stake, which is active from the epoch after its activation to the end of its deactivation
 * epoch.
 */
function stakeStatus(now: number, activation: number, deactivation: number): WalletStake["status"] {
  if (deactivation >= 0 && now > deactivation) return "inactive";
  if (deactivation === now) return "deactivating";
  return now > activation ? "active" : "activating";
}

/** Returns the stakes that a wallet may delegate or withdraw. */
export function stakesOf(db: LedgerReader, address: string): readonly WalletStake[] {
  const [wallet, now] = [idOrUnknown(db, address), currentEpoch(db)];
  const rows = db.all(
    `SELECT account_id, staker_id, withdrawer_id, voter_id, ${asText("delegated")} AS delegated, activation_epoch,
      ifnull(deactivation_epoch, -1) AS deactivation_epoch
    FROM stake_accounts s WHERE (staker_id = ? OR withdrawer_id = ?)
      AND NOT EXISTS (SELECT 1 FROM balances b WHERE b.account_id = s.account_id AND b.token_id = ${SOL} AND b.amount = 0)`,
    wallet,
    wallet,
  );
  return rows.map((row) => {
    const [activation, deactivation] = [Number(row.activation_epoch), Number(row.deactivation_epoch)];
    const status = row.voter_id === null ? "inactive" : stakeStatus(now, activation, deactivation);
    const delegated = BigInt(String(row.delegated));
    return {
      id: Number(row.account_id),
      voter: row.voter_id === null ? undefined : db.addressOf(Number(row.voter_id)),
      staker: db.addressOf(Number(row.staker_id)),
      roles: [...(row.staker_id === wallet ? ["staker"] : []), ...(row.withdrawer_id === wallet ? ["withdrawer"] : [])],
      status,
      delegated,
      active: status === "active" || status === "deactivating" ? delegated : 0n,
      activation,
      deactivation,
    };
  });
}

function stakeJson(db: LedgerReader, stake: WalletStake): JsonObject {
  const row = db.get(
    `SELECT CAST(ifnull(sum(amount), 0) AS TEXT) AS reward,
      (SELECT ${asText("amount")} FROM balances WHERE account_id = ? AND token_id = ${SOL}) AS lamports
    FROM rewards WHERE account_id = ? AND kind IN ('staking', 'voting')`,
    stake.id,
    stake.id,
  );
  return {
    amount: amountOf(stake.delegated),
    role: stake.roles,
    status: stake.status,
    type: stake.status,
    ...omitMissing({ voter: stake.voter }),
    deactivationEpoch: stake.deactivation,
    active_stake_amount: amountOf(stake.active),
    delegated_stake_amount: amountOf(stake.delegated),
    ...omitMissing({ sol_balance: row?.lamports == null ? db.facts.assume(amountOf(0)) : amountOf(row.lamports) }),
    total_reward: String(row?.reward),
    stake_account: db.addressOf(stake.id),
    ...(stake.voter === undefined ? {} : { activation_epoch: stake.activation, stake_type: stake.activation }),
  };
}

/** `/account/stake`: stakes of a wallet, largest first unless `sort_order` is asc. */
export const stake: Query = ({ db, params }) => {
  const key = params.text("sort_by") === "delegated_stake" ? "delegated" : "active";
  const sign = sortDirection(params) === "ASC" ? 1 : -1;
  const stakes = [...stakesOf(db, params.required("address"))].sort(
    (a, b) => sign * (a[key] === b[key] ? a.id - b.id : a[key] < b[key] ? -1 : 1),
  );
  const [limit, offset] = pageLimits(params);
  return { data: stakes.slice(offset, offset + limit).map((one) => stakeJson(db, one)) };
};
