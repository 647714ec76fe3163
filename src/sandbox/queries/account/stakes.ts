/** Stakes and staking rewards of wallets. */

import { DAY_SECONDS, decimalText, type JsonObject, parseDecimal } from "../../../base/index.ts";
import { MAX_EXPORT_ROWS } from "../../../catalogue/index.ts";
import type { LedgerReader, LedgerRow } from "../../ledger/reader.ts";
import { SLOTS_PER_EPOCH, SOL } from "../../ledger/schema.ts";
import type { CsvRecord, Query } from "../query.ts";
import {
  amountOf,
  asText,
  idOrUnknown,
  pageLimits,
  sortDirection,
  toIsoTime,
  toUnixTime,
  WhereClause,
} from "../sql.ts";
import { wholeText } from "./holdings.ts";

/** A stake account of a wallet; lamports are exact. */
export interface WalletStake {
  readonly id: number;
  readonly voter: string;
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
  return Math.floor(Number(row?.slot ?? 0) / SLOTS_PER_EPOCH);
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
    FROM stake_accounts WHERE staker_id = ? OR withdrawer_id = ?`,
    wallet,
    wallet,
  );
  return rows.map((row) => {
    const [activation, deactivation] = [Number(row.activation_epoch), Number(row.deactivation_epoch)];
    const status = stakeStatus(now, activation, deactivation);
    const delegated = BigInt(String(row.delegated));
    return {
      id: Number(row.account_id),
      voter: db.addressOf(Number(row.voter_id)),
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
    FROM rewards WHERE account_id = ? AND kind = 'staking'`,
    stake.id,
    stake.id,
  );
  return {
    amount: amountOf(stake.delegated),
    role: stake.roles,
    status: stake.status,
    type: stake.status,
    voter: stake.voter,
    deactivationEpoch: stake.deactivation,
    active_stake_amount: amountOf(stake.active),
    delegated_stake_amount: amountOf(stake.delegated),
    sol_balance: amountOf(row?.lamports ?? 0),
    total_reward: String(row?.reward),
    stake_account: db.addressOf(stake.id),
    activation_epoch: stake.activation,
    stake_type: stake.activation,
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

/** Default length of the time window in seconds. */
const MONTH_SECONDS = 30 * DAY_SECONDS;

/** Seconds by which the time as text is ahead of UTC. */
const TEXT_OFFSET = 7 * 3600;

/** The columns of a reward export. */
const HEADER = [
  "Epoch",
  "Effective Slot",
  "Effective Time Unix",
  "Effective Time",
  "Reward Amount",
  "Change Percentage",
  "Post Balance",
  "Commission",
];

/** Returns a double as decimal text without an exponent. */
function plainText(value: number): string {
  const decimal = parseDecimal(String(value));
  return decimal ? decimalText(decimal) : "0";
}

/** Which staking rewards of a stake account are read. Times are the caller's Unix seconds. */
interface RewardRange {
  readonly address: string;
  /** By default a month before `to`. */
  readonly from: number | undefined;
  /** By default now. */
  readonly to: number | undefined;
  readonly limit: number;
  readonly offset: number;
}

/** Reads the staking rewards of a stake account, newest first; other accounts have none. */
function readRewards(db: LedgerReader, range: RewardRange): readonly LedgerRow[] {
  const { address, to = toUnixTime(db.clock, db.clock.end), from = to - MONTH_SECONDS, limit, offset } = range;
  const { shift } = db.clock;
  const where = new WhereClause()
    .add("r.account_id = ?", idOrUnknown(db, address))
    .add("r.kind = 'staking'")
    .add("b.time >= ?", from - shift)
    .add("b.time <= ?", to - shift);
  return db.all(
    `SELECT r.epoch, r.slot, b.time, ${asText("r.amount")} AS amount, ${asText("r.post")} AS post, r.commission
    FROM rewards r CROSS JOIN blocks b ON b.slot = r.slot ${where.sql} ORDER BY r.id DESC LIMIT ? OFFSET ?`,
    ...where.values,
    limit,
    offset,
  );
}

/** Returns a reward in percent of the balance before it. */
function changePercent({ post, amount }: LedgerRow): number {
  const before = Number(BigInt(String(post)) - BigInt(String(amount)));
  return before === 0 ? 0 : (100 * Number(amount)) / before;
}

/**
 * Returns the staking rewards of a stake account as CSV records with the header first; other accounts have none.
 * @param from,to the caller's Unix seconds; by default the month before `to`, and now
 */
export function rewardRecords(
  db: LedgerReader,
  address: string,
  from: number | undefined,
  to?: number,
): readonly CsvRecord[] {
  const rows = readRewards(db, { address, from, to, limit: MAX_EXPORT_ROWS, offset: 0 });
  const records = rows.map((row) => {
    return [
      Number(row.epoch),
      Number(row.slot),
      toUnixTime(db.clock, row.time),
      toIsoTime(db.clock, Number(row.time) + TEXT_OFFSET).slice(0, "YYYY-MM-DDTHH:MM:SS".length),
      wholeText(row.amount, 9),
      plainText(changePercent(row)),
      wholeText(row.post, 9),
      Number(row.commission ?? 0),
    ];
  });
  return [HEADER, ...records];
}

/** `/account/stake/reward`: staking rewards of a stake account, newest first; a wallet has none. */
export const stakeReward: Query = ({ db, params }) => {
  const address = params.required("address");
  const [limit, offset] = pageLimits(params);
  const range = { address, from: params.integer("from_time"), to: params.integer("to_time"), limit, offset };
  return {
    data: readRewards(db, range).map((row) => ({
      address,
      change_percent: changePercent(row),
      epoch: Number(row.epoch),
      effective_slot: Number(row.slot),
      effective_time: toUnixTime(db.clock, row.time),
      decimals: 9,
      amount: amountOf(row.amount),
      commission: Number(row.commission ?? 0),
      post_balance: amountOf(row.post),
    })),
  };
};

/** `/account/reward/export`: in its header, unlike in its records, a space follows each comma. */
export const rewardExport: Query = ({ db, params }) => {
  const [header = [], ...records] = rewardRecords(
    db,
    params.required("address"),
    params.integer("time_from") ?? params.integer("from_time"),
    params.integer("time_to") ?? params.integer("to_time"),
  );
  return { csv: [header.map((name, n) => (n === 0 ? name : ` ${name}`)), ...records] };
};
