/** Staking rewards of a stake account, by epoch. */
import { isMissing, type JsonObject, SolxError } from "../../../base/index.ts";
import { MAX_EXPORT_ROWS } from "../../../catalogue/index.ts";
import {
  REWARD_WINDOW_SECONDS,
  type Reward,
  rewardItem,
  rewardRecords,
  spacedRewardRecords,
} from "../../../chain/ledger/index.ts";
import {
  amountOf,
  countOf,
  integerOf,
  isSkippedSlot,
  listOf,
  objectOf,
  optionalInteger,
} from "../../../chain/solana/index.ts";
import type { AnswerContext, NodeAnswer } from "../answer.ts";
import { infoOf, kindOf, readAccount } from "./accounts.ts";
import { readEpoch } from "./stakes.ts";

/** Epochs that are requested at once. */
const EPOCHS_AT_ONCE = 15;

/** A reward of a node, of which the time is known. */
type DatedReward = Reward & { readonly time: number };

/** The time window of a request; by default the month before its end, which is now by default. */
interface Range {
  readonly from: number;
  readonly to: number;
}

const rangeOf = ({ node }: AnswerContext, from: number | undefined, to = Math.floor(node.now() / 1000)): Range => ({
  from: from ?? to - REWARD_WINDOW_SECONDS,
  to,
});

/**
 * Reads the rewards of an account in a time window, newest first, until there are enough. Only stake and vote accounts
 * have rewards, from the epoch of their activation on.
 */
async function readRewards(
  context: AnswerContext,
  address: string,
  { from, to }: Range,
  count: number,
): Promise<readonly DatedReward[]> {
  const account = await readAccount(context, address);
  if (!["stake_account", "vote_account"].includes(kindOf(account))) return [];
  const first = activationEpochOf(infoOf(account));
  const rewards: DatedReward[] = [];
  for (let last = Number(await readEpoch(context)) - 1; last >= first; last -= EPOCHS_AT_ONCE) {
    const epochs = Array.from({ length: Math.min(EPOCHS_AT_ONCE, last - first + 1) }, (_, n) => last - n);
    const ofEpochs = await rewardsOfEpochs(context, address, epochs);
    rewards.push(...ofEpochs.filter(({ time }) => time >= from && time <= to));
    const isBefore = ofEpochs.some(({ time }) => time < from);
    if (isBefore || rewards.length >= count || ofEpochs.length === 0) break;
  }
  return rewards;
}

/** Returns the first epoch in which an account may have had rewards. */
function activationEpochOf({ stake }: JsonObject): number {
  if (isMissing(stake)) return 0;
  const { activationEpoch } = objectOf(objectOf(stake, "stake").delegation, "delegation");
  return Number(amountOf(activationEpoch, "activationEpoch"));
}

/** Reads the rewards of epochs. Epochs that the node does not have anymore have none. */
async function rewardsOfEpochs(
  { node, sending }: AnswerContext,
  address: string,
  epochs: readonly number[],
): Promise<readonly DatedReward[]> {
  const calls = epochs.map((epoch) => ({
    method: "getInflationReward",
    params: [[address], { epoch, commitment: node.commitment }],
  }));
  const answers = await node.callMany(calls, sending);
  const rows = answers.flatMap((answer, at) => {
    if (answer instanceof SolxError) {
      if (answer.exit === "notFound" || isSkippedSlot(answer)) return [];
      throw answer;
    }
    const [row] = listOf(answer, "result");
    return isMissing(row) ? [] : [{ epoch: epochs[at] ?? 0, row: objectOf(row, "reward") }];
  });
  const times = await node.callMany(
    rows.map(({ row }) => ({ method: "getBlockTime", params: [countOf(row.effectiveSlot, "effectiveSlot")] })),
    sending,
  );
  return rows.map(({ epoch, row }, at) => {
    const time = times[at];
    if (time instanceof SolxError) throw time;
    return {
      epoch,
      slot: countOf(row.effectiveSlot, "effectiveSlot"),
      time: integerOf(time, "block time"),
      amount: amountOf(row.amount, "amount"),
      post: amountOf(row.postBalance, "postBalance"),
      commission: optionalInteger(row.commission, "commission") ?? 0,
    };
  });
}

/** `/account/stake/reward`: newest first; a wallet has none. */
export const stakeReward: NodeAnswer = async (context) => {
  const { params } = context;
  const address = params.required("address");
  const size = params.integer("page_size") ?? 10;
  const offset = ((params.integer("page") ?? 1) - 1) * size;
  const range = rangeOf(context, params.integer("from_time"), params.integer("to_time"));
  const rewards = await readRewards(context, address, range, offset + size);
  return { data: rewards.slice(offset, offset + size).map((reward) => rewardItem(address, reward)) };
};

/** Reads the rewards of an export. The names of its parameters differ between the families. */
function readExport(
  context: AnswerContext,
  names: { readonly address: string; readonly from: readonly string[]; readonly to: readonly string[] },
): Promise<readonly Reward[]> {
  const { params } = context;
  const time = (aliases: readonly string[]) => aliases.map((name) => params.integer(name)).find((n) => n !== undefined);
  const range = rangeOf(context, time(names.from), time(names.to));
  return readRewards(context, params.required(names.address), range, MAX_EXPORT_ROWS);
}

/** `/account/reward/export`. */
export const rewardExport: NodeAnswer = async (context) => {
  const names = { address: "address", from: ["time_from", "from_time"], to: ["time_to", "to_time"] };
  return { csv: spacedRewardRecords(await readExport(context, names)) };
};

/** Legacy `/account/exportRewards`. */
export const legacyRewardExport: NodeAnswer = async (context) => {
  const names = { address: "account", from: ["fromTime"], to: ["toTime"] };
  return { csv: rewardRecords(await readExport(context, names)) };
};
