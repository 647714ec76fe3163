/** Staking rewards of accounts, and their form in exports, which ledgers and nodes share. */
import {
  DAY_SECONDS,
  decimalText,
  numericOf,
  omitMissing,
  parseDecimal,
  toWholeUnits,
} from "../../../../base/index.ts";
import { MAX_EXPORT_ROWS } from "../../../../catalogue/index.ts";
import type { LedgerReader } from "../../store/reader.ts";
import type { CsvRecord, Query } from "../query.ts";
import { asText, columnNumber, idOrUnknown, pageLimits, toUnixTime, unixTimeOf, WhereClause } from "../sql.ts";

/** A reward of a stake or vote account. Amounts are lamports, times Unix seconds. */
export interface Reward {
  readonly epoch: number;
  readonly slot: number;
  /** Undefined where the chain does not know it. */
  readonly time: number | undefined;
  readonly amount: bigint;
  /** The balance after the reward. */
  readonly post: bigint;
  /** Undefined where the chain does not know it. */
  readonly commission: number | undefined;
}

/** The decimals of SOL. */
const SOL_DECIMALS = 9;

/** Default length of the time window in seconds. */
export const REWARD_WINDOW_SECONDS = 30 * DAY_SECONDS;

/** Seconds by which the time as text is ahead of UTC, as in exports of the service. */
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

/** Returns a reward in percent of the balance before it. */
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
    amount: numericOf(String(reward.amount)),
    commission: reward.commission,
    post_balance: numericOf(String(reward.post)),
  });

/** Returns rewards as the CSV records of an export, the header first. */
export function rewardRecords(rewards: readonly Reward[]): readonly CsvRecord[] {
  const records = rewards
    .slice(0, MAX_EXPORT_ROWS)
    .map((reward) => [
      reward.epoch,
      reward.slot,
      reward.time ?? "",
      reward.time === undefined
        ? ""
        : new Date((reward.time + TEXT_OFFSET) * 1000).toISOString().slice(0, "YYYY-MM-DDTHH:MM:SS".length),
      toWholeUnits(reward.amount, SOL_DECIMALS),
      plainText(changePercent(reward)),
      toWholeUnits(reward.post, SOL_DECIMALS),
      reward.commission ?? "",
    ]);
  return [HEADER, ...records];
}

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
    `SELECT r.epoch, r.slot, b.time, ${asText("r.amount")} AS amount, ${asText("r.post")} AS post, r.commission
    FROM rewards r CROSS JOIN blocks b ON b.slot = r.slot ${where.sql} ORDER BY r.id DESC LIMIT ? OFFSET ?`,
    ...where.values,
    range.limit ?? MAX_EXPORT_ROWS,
    range.offset ?? 0,
  );
  return rows.map((row) => ({
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
