/** Stakes of wallets, and staking rewards in the form of exports, which ledgers and nodes share. */
import {
  DAY_SECONDS,
  decimalText,
  type JsonObject,
  omitMissing,
  parseDecimal,
  toNumeric,
  toWholeUnits,
} from "../../../../base/index.ts";
import { type CsvRecord, MAX_EXPORT_ROWS } from "../../../../catalogue/index.ts";
import { epochAt, type LedgerReader, mapRows } from "../../store/reader.ts";
import { SOL, slotSql, transactionIdSql } from "../../store/schema.ts";
import { type CsvColumns, csvRecords, type Query } from "../query.ts";
import {
  amountOf,
  asText,
  columnNumber,
  idOrUnknown,
  pageLimits,
  sortDirection,
  toUnixTime,
  unixTimeOf,
  WhereClause,
} from "../sql.ts";

/** Returns the status of a stake: active from the epoch after its activation to the end of its deactivation. */
function stakeStatus(now: number, activation: number, deactivation: number) {
  if (deactivation >= 0 && now > deactivation) return "inactive";
  if (deactivation === now) return "deactivating";
  return now > activation ? "active" : "activating";
}

/**
 * Returns the stakes that a wallet may delegate or withdraw, in lamports. One that was never delegated has no voter and is
 * inactive; `active` currently earns rewards; `deactivation` is −1 while the stake is delegated.
 */
export function readStakes(db: LedgerReader, address: string) {
  const wallet = idOrUnknown(db, address);
  const now = epochAt(db, Number(db.get("SELECT max(slot) AS slot FROM blocks")?.slot ?? 0));
  const rows = db.all(
    `SELECT * FROM (
      SELECT account_id, staker_id, withdrawer_id, voter_id, ${asText("delegated")} AS delegated, activation_epoch,
        ifnull(deactivation_epoch, -1) AS deactivation_epoch
      FROM stake_accounts s WHERE (staker_id = ? OR withdrawer_id = ?)
        AND NOT EXISTS (SELECT 1 FROM balances b WHERE b.account_id = s.account_id AND b.token_id = ${SOL} AND b.amount = 0)
    ) p ORDER BY account_id`,
    wallet,
    wallet,
  );
  return mapRows(rows, (row) => {
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

function stakeJson(db: LedgerReader, stake: ReturnType<typeof readStakes>[number]): JsonObject {
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
  const stakes = [...readStakes(db, params.required("address"))].sort(
    (a, b) => sign * (a[key] === b[key] ? a.id - b.id : a[key] < b[key] ? -1 : 1),
  );
  const [limit, offset] = pageLimits(params);
  return { data: stakes.slice(offset, offset + limit).map((one) => stakeJson(db, one)) };
};

/** A reward of a stake or vote account. Amounts are lamports, times Unix seconds. */
export interface Reward {
  readonly epoch: number;
  readonly slot: number;
  /** Undefined where the chain does not know it. */
  readonly time: number | undefined;
  readonly amount: bigint;
  readonly post: bigint;
  /** Undefined where the chain does not know it. */
  readonly commission: number | undefined;
}

const SOL_DECIMALS = 9;

/** Default length of the time window in seconds. */
export const REWARD_WINDOW_SECONDS = 30 * DAY_SECONDS;

/** Seconds by which the time as text is ahead of UTC, as in exports of the service. */
const TEXT_OFFSET = 7 * 3600;

function changePercent({ post, amount }: Reward): number {
  const before = Number(post - amount);
  return before === 0 ? 0 : (100 * Number(amount)) / before;
}

/** Returns a double as decimal text without an exponent. */
function plainText(value: number): string {
  const decimal = parseDecimal(String(value));
  return decimal ? decimalText(decimal) : "0";
}

/** Returns the item of `/account/stake/reward`. */
export const rewardItem = (address: string, reward: Reward) =>
  omitMissing({
    address,
    change_percent: changePercent(reward),
    epoch: reward.epoch,
    effective_slot: reward.slot,
    effective_time: reward.time,
    decimals: SOL_DECIMALS,
    amount: toNumeric(String(reward.amount)),
    commission: reward.commission,
    post_balance: toNumeric(String(reward.post)),
  });

const textTime = (time: number): string =>
  new Date((time + TEXT_OFFSET) * 1000).toISOString().slice(0, "YYYY-MM-DDTHH:MM:SS".length);

const COLUMNS: CsvColumns<Reward> = [
  ["Epoch", ({ epoch }) => epoch],
  ["Effective Slot", ({ slot }) => slot],
  ["Effective Time Unix", ({ time }) => time ?? ""],
  ["Effective Time", ({ time }) => (time === undefined ? "" : textTime(time))],
  ["Reward Amount", ({ amount }) => toWholeUnits(amount, SOL_DECIMALS)],
  ["Change Percentage", (reward) => plainText(changePercent(reward))],
  ["Post Balance", ({ post }) => toWholeUnits(post, SOL_DECIMALS)],
  ["Commission", ({ commission }) => commission ?? ""],
];

/** Returns rewards as the CSV records of an export, the header first. */
export const rewardRecords = (rewards: readonly Reward[]): readonly CsvRecord[] =>
  csvRecords(COLUMNS, rewards.slice(0, MAX_EXPORT_ROWS));

/** Returns the records of `/account/reward/export`: in its header, unlike in its records, a space follows each comma. */
export function spacedRewardRecords(rewards: readonly Reward[]): readonly CsvRecord[] {
  const [header = [], ...records] = rewardRecords(rewards);
  return [header.map((name, n) => (n === 0 ? name : ` ${name}`)), ...records];
}

/** Which rewards of an account are read. Times are the caller's Unix seconds. */
interface RewardRange {
  readonly address: string;
  /** By default a month before `to`. */
  readonly from: number | undefined;
  /** By default now. */
  readonly to: number | undefined;
  readonly limit?: number;
  readonly offset?: number;
}

/** Reads the staking rewards of a stake account, newest first; other accounts have none. */
export function readRewards(db: LedgerReader, range: RewardRange): readonly Reward[] {
  const { address, to = toUnixTime(db.clock, db.clock.end), from = to - REWARD_WINDOW_SECONDS } = range;
  const { shift } = db.clock;
  // Blocks without a time are the oldest ones.
  const time = !db.facts.isComplete ? "ifnull(b.time, 0)" : "b.time";
  const where = new WhereClause()
    .add("r.account_id = ?", idOrUnknown(db, address))
    .add("r.kind IN ('staking', 'voting')")
    .add(`${time} >= ?`, from - shift)
    .add(`${time} <= ?`, to - shift);
  const rows = db.all(
    `SELECT r.epoch, b.slot, b.time, ${asText("r.amount")} AS amount, ${asText("r.post")} AS post, r.commission
    FROM rewards r CROSS JOIN blocks b ON b.slot = ${slotSql(transactionIdSql("r.id"))} ${where.sql} ORDER BY r.id DESC LIMIT ? OFFSET ?`,
    ...where.values,
    range.limit ?? MAX_EXPORT_ROWS,
    range.offset ?? 0,
  );
  return mapRows(rows, (row) => ({
    epoch: Number(row.epoch),
    slot: Number(row.slot),
    time: unixTimeOf(db, row.time),
    amount: BigInt(String(row.amount)),
    post: BigInt(String(row.post)),
    commission: columnNumber(row.commission) ?? db.facts.assume(0),
  }));
}

/** `/account/stake/reward`: staking rewards of a stake account, newest first; a wallet has none. */
export const stakeReward: Query = ({ db, params }) => {
  const address = params.required("address");
  const [limit, offset] = pageLimits(params);
  const range = { address, from: params.integer("from_time"), to: params.integer("to_time"), limit, offset };
  return { data: readRewards(db, range).map((reward) => rewardItem(address, reward)) };
};

/** `/account/reward/export`. */
export const rewardExport: Query = ({ db, params }) => ({
  csv: spacedRewardRecords(
    readRewards(db, {
      address: params.required("address"),
      from: params.integer("time_from") ?? params.integer("from_time"),
      to: params.integer("time_to") ?? params.integer("to_time"),
    }),
  ),
});
