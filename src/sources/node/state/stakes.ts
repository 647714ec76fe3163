/** Stake accounts of wallets with the state of their delegation, and the rewards of stake accounts by epoch. */
import { type JsonObject, SolxError } from "../../../base/index.ts";
import { MAX_EXPORT_ROWS } from "../../../catalogue/index.ts";
import {
  REWARD_WINDOW_SECONDS,
  type Reward,
  rewardItem,
  rewardRecords,
  spacedRewardRecords,
} from "../../../chain/ledger/index.ts";
import { type ChainAccount, isSkippedSlot, MAX_BYTE, Member, PROGRAM, SYSVAR } from "../../../chain/solana/index.ts";
import {
  type AnswerContext,
  exactNumber,
  type NodeAnswer,
  type NodeAnswersByRoute,
  pageRange,
  slicePage,
} from "../answer.ts";
import { infoOf, kindOf, readAccount, readProgramAccounts } from "../calls/accounts.ts";
import { readEpoch, readEpochTime } from "../calls/epochs.ts";

/** Where the data of a stake account names its authorities. */
const STAKER_OFFSET = 12;
const WITHDRAWER_OFFSET = 44;
/** The epoch of something that does not happen. */
const NEVER = 2n ** 64n - 1n;
/** Share of all effective stake that may be activated or deactivated in an epoch. */
const WARMUP_RATE = 0.09;

/** A stake account of a wallet. Amounts are lamports. */
interface StakeState {
  readonly address: string;
  readonly lamports: bigint;
  readonly staker: string;
  readonly roles: readonly string[];
  /** Undefined for accounts that are not delegated. */
  readonly voter: string | undefined;
  readonly delegated: bigint;
  readonly active: bigint;
  readonly status: "activating" | "active" | "deactivating" | "inactive";
  readonly activationEpoch: bigint | undefined;
  /** Undefined while the stake stays delegated. */
  readonly deactivationEpoch: bigint | undefined;
}

/** Stake of the cluster that changed its state in an epoch. */
interface HistoryEntry {
  readonly effective: number;
  readonly activating: number;
  readonly deactivating: number;
}

type StakeHistory = ReadonlyMap<bigint, HistoryEntry>;

interface Delegation {
  readonly voter: string;
  readonly stake: bigint;
  readonly activationEpoch: bigint;
  readonly deactivationEpoch: bigint;
}

/**
 * Returns the lamports of a delegation that are effective in an epoch. Stake warms up and cools down over epochs: the
 * cluster limits how much changes in each, and every delegation takes part in proportion.
 */
export function effectiveStake(
  { stake, activationEpoch, deactivationEpoch }: Omit<Delegation, "voter">,
  epoch: bigint,
  history: StakeHistory,
): bigint {
  if (activationEpoch === deactivationEpoch || (activationEpoch !== NEVER && epoch <= activationEpoch)) return 0n;
  const end = epoch < deactivationEpoch ? epoch : deactivationEpoch;
  const warm = changedStake(stake, activationEpoch, end, history, "activating");
  if (epoch <= deactivationEpoch) return warm;
  return warm - changedStake(warm, deactivationEpoch, epoch, history, "deactivating");
}

/** Returns how much of a stake has changed its state from an epoch to another; all of it without a history. */
function changedStake(
  stake: bigint,
  from: bigint,
  to: bigint,
  history: StakeHistory,
  change: "activating" | "deactivating",
): bigint {
  let changed = 0n;
  for (let epoch = from; epoch < to; epoch++) {
    const entry = history.get(epoch);
    // The history covers 512 epochs; what began before is complete.
    if (!entry) return epoch === from ? stake : changed;
    if (entry[change] === 0) return changed;
    const share = Number(stake - changed) / entry[change];
    const step = BigInt(Math.floor(share * entry.effective * WARMUP_RATE));
    changed += step > 0n ? step : 1n;
    if (changed >= stake) return stake;
  }
  return changed;
}

/** Reads the stake accounts that a wallet may delegate or withdraw. */
async function readStakes(context: AnswerContext, wallet: string): Promise<readonly StakeState[]> {
  const accountsWith = (offset: number) =>
    readProgramAccounts(context, PROGRAM.stake, "jsonParsed", [{ memcmp: { offset, bytes: wallet } }]);
  const [staked, withdrawn, epoch, history] = await Promise.all([
    accountsWith(STAKER_OFFSET),
    accountsWith(WITHDRAWER_OFFSET),
    readEpoch(context),
    readStakeHistory(context),
  ]);
  const accounts = new Map([...staked, ...withdrawn].map((account) => [account.address, account]));
  return [...accounts.values()].map((account) => readStake(account, wallet, epoch, history));
}

/** Returns the history of the cluster's stake. */
export async function readStakeHistory(context: AnswerContext): Promise<StakeHistory> {
  const account = await readAccount(context, SYSVAR.stakeHistory);
  const history = new Member(infoOf(account), "stakeHistory");
  const rows = account?.parsed?.type === "stakeHistory" ? history.at("entries").list() : [];
  return new Map(
    rows.map((row) => {
      const lamports = (name: string) => Number(row.at("stakeHistory").at(name).amount());
      const values = {
        effective: lamports("effective"),
        activating: lamports("activating"),
        deactivating: lamports("deactivating"),
      };
      return [BigInt(row.at("epoch").count()), values] as const;
    }),
  );
}

/** Returns the delegation of a stake account; undefined when there is none. */
export function readDelegation(account: ChainAccount | undefined): Delegation | undefined {
  const stake = new Member(infoOf(account).stake, "stake");
  if (!stake.optional() && account?.parsed?.type !== "delegated") return undefined;
  const delegation = stake.at("delegation");
  return {
    voter: delegation.at("voter").address(),
    stake: delegation.at("stake").amount(),
    activationEpoch: delegation.at("activationEpoch").amount(),
    deactivationEpoch: delegation.at("deactivationEpoch").amount(),
  };
}

/** @throws ServerError for an account in which the wallet has no role: it was not asked for */
function readStake(account: ChainAccount, wallet: string, epoch: bigint, history: StakeHistory): StakeState {
  const authorized = new Member(infoOf(account).meta, `meta of ${account.address}`).at("authorized");
  const [staker, withdrawer] = [authorized.at("staker").address(), authorized.at("withdrawer").address()];
  const roles = [...(staker === wallet ? ["staker"] : []), ...(withdrawer === wallet ? ["withdrawer"] : [])];
  if (roles.length === 0) throw authorized.malformed(`those of the wallet ${wallet}`);
  const common = { address: account.address, lamports: account.lamports, staker, roles };
  const delegation = readDelegation(account);
  if (!delegation) {
    const none = { voter: undefined, activationEpoch: undefined, deactivationEpoch: undefined };
    return { ...common, ...none, delegated: 0n, active: 0n, status: "inactive" };
  }
  const { voter, stake: delegated, activationEpoch, deactivationEpoch: end } = delegation;
  const active = effectiveStake(delegation, epoch, history);
  const status = statusOf(end, delegated, active);
  const deactivationEpoch = end === NEVER ? undefined : end;
  return { ...common, voter, delegated, active, status, activationEpoch, deactivationEpoch };
}

function statusOf(deactivation: bigint, delegated: bigint, active: bigint): StakeState["status"] {
  if (deactivation !== NEVER) return active > 0n ? "deactivating" : "inactive";
  return active >= delegated ? "active" : "activating";
}

const byAmount = (key: "active" | "delegated", sign: number) => (a: StakeState, b: StakeState) =>
  sign * (a[key] === b[key] ? (a.address < b.address ? -1 : 1) : a[key] < b[key] ? -1 : 1);

/** `/account/stake`: stakes of a wallet, the largest first unless `sort_order` is asc. */
const stake: NodeAnswer = async (context) => {
  const { params } = context;
  const stakes = await readStakes(context, params.required("address"));
  const key = params.text("sort_by") === "delegated_stake" ? "delegated" : "active";
  const sorted = stakes.toSorted(byAmount(key, params.text("sort_order") === "asc" ? 1 : -1));
  return { data: slicePage(sorted, context).map(stakeJson) };
};

const stakeJson = (one: StakeState): JsonObject => ({
  amount: exactNumber(one.delegated),
  role: one.roles,
  status: one.status,
  type: one.status,
  ...(one.voter === undefined ? {} : { voter: one.voter }),
  deactivationEpoch: one.deactivationEpoch === undefined ? -1 : exactNumber(one.deactivationEpoch),
  active_stake_amount: exactNumber(one.active),
  delegated_stake_amount: exactNumber(one.delegated),
  sol_balance: exactNumber(one.lamports),
  stake_account: one.address,
  ...(one.activationEpoch === undefined ? {} : { activation_epoch: exactNumber(one.activationEpoch) }),
});

/** Legacy `/account/stakeAccounts`. */
const legacyStakes: NodeAnswer = async (context) => {
  const stakes = await readStakes(context, context.params.required("account"));
  return {
    data: stakes.map(({ voter, delegated, status, address, staker, roles }) => ({
      ...(voter === undefined ? {} : { voter }),
      amount: String(delegated),
      type: status,
      stakeAccount: address,
      staker,
      role: roles,
    })),
  };
};

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

/** Kinds of accounts that have rewards; one that does not exist may have been of these. */
const REWARDED: readonly string[] = ["stake_account", "vote_account", "no_account"];

/**
 * Reads the rewards of an account in a time window, newest first, until there are enough. A stake account may have some
 * from before its activation, of a delegation that ended.
 */
async function readRewards(
  context: AnswerContext,
  address: string,
  { from, to }: Range,
  count: number,
): Promise<readonly DatedReward[]> {
  const account = await readAccount(context, address);
  if (!REWARDED.includes(kindOf(account))) return [];
  const rewards: DatedReward[] = [];
  for (let last = Number(await readEpoch(context)) - 1; last >= 0; last -= EPOCHS_AT_ONCE) {
    const epochs = Array.from({ length: Math.min(EPOCHS_AT_ONCE, last + 1) }, (_, n) => last - n);
    const [oldest = 0] = epochs.slice(-1);
    const { rewards: ofEpochs, lacking } = await rewardsOfEpochs(context, address, epochs);
    rewards.push(...ofEpochs.filter(({ time }) => time >= from && time <= to));
    const before = ofEpochs.find(({ time }) => time < from)?.epoch;
    const [lost] = lacking.filter((epoch) => epoch > (before ?? -1));
    const note = (text: string) => context.report?.({ type: "coverage", text: `${text}: rows may be missing.` });
    if (lost !== undefined) note(`The node does not return the rewards of epoch ${lost}`);
    if (before !== undefined || rewards.length >= count || oldest === 0) break;
    if (((await readEpochTime(context, oldest)) ?? from) < from) break;
    if (ofEpochs.length > 0) continue;
    note(`The account has no reward in the epochs ${oldest} to ${last}, and older ones were not read`);
    break;
  }
  return rewards;
}

/** Reads the rewards of epochs, newest first, and which epochs the node does not have. */
async function rewardsOfEpochs(
  { node, sending }: AnswerContext,
  address: string,
  epochs: readonly number[],
): Promise<{ readonly rewards: readonly DatedReward[]; readonly lacking: readonly number[] }> {
  const lacking: number[] = [];
  const calls = epochs.map((epoch) => ({
    method: "getInflationReward",
    params: [[address], { epoch, commitment: node.commitment }],
  }));
  const answers = await node.callMany(calls, sending);
  const rows = answers.flatMap((answer, at) => {
    const epoch = epochs[at] ?? 0;
    if (answer instanceof SolxError) {
      if (answer.exit !== "notFound" && !isSkippedSlot(answer)) throw answer;
      lacking.push(epoch);
      return [];
    }
    const rewards = new Member(answer).list();
    if (rewards.length !== 1) throw new Member(answer).malformed("the reward of one account");
    const row = rewards[0]?.optional();
    if (row && row.at("epoch").count() !== epoch) throw row.malformed(`the reward of epoch ${epoch}`);
    return row ? [{ epoch, row }] : [];
  });
  const times = await node.callMany(
    rows.map(({ row }) => ({ method: "getBlockTime", params: [row.at("effectiveSlot").count()] })),
    sending,
  );
  const rewards = rows.map(({ epoch, row }, at) => {
    const time = times[at];
    if (time instanceof SolxError) throw time;
    return {
      epoch,
      slot: row.at("effectiveSlot").count(),
      time: new Member(time, "block time").time(),
      amount: row.at("amount").lamports(),
      post: row.at("postBalance").lamports(64),
      commission: row.at("commission").optional()?.count(MAX_BYTE),
    };
  });
  return { rewards, lacking };
}

/** `/account/stake/reward`: newest first; a wallet has none. */
const stakeReward: NodeAnswer = async (context) => {
  const { params } = context;
  const address = params.required("address");
  const { start, size } = pageRange(context);
  const range = rangeOf(context, params.integer("from_time"), params.integer("to_time"));
  const rewards = await readRewards(context, address, range, start + size);
  return { data: slicePage(rewards, context).map((reward) => rewardItem(address, reward)) };
};

/** `/account/reward/export`. */
const rewardExport: NodeAnswer = async (context) => {
  const { params } = context;
  const from = params.integer("time_from") ?? params.integer("from_time");
  const range = rangeOf(context, from, params.integer("time_to") ?? params.integer("to_time"));
  return { csv: spacedRewardRecords(await readRewards(context, params.required("address"), range, MAX_EXPORT_ROWS)) };
};

/** Legacy `/account/exportRewards`. */
const legacyRewardExport: NodeAnswer = async (context) => {
  const { params } = context;
  const range = rangeOf(context, params.integer("fromTime"), params.integer("toTime"));
  return { csv: rewardRecords(await readRewards(context, params.required("account"), range, MAX_EXPORT_ROWS)) };
};

/** Answers about stakes. */
export const stakeAnswers: NodeAnswersByRoute = {
  "v2-account-stake": stake,
  "v2-account-stake-reward": stakeReward,
  "v2-account-reward-export": rewardExport,
  "account-stake-accounts": legacyStakes,
  "account-export-rewards": legacyRewardExport,
};
