/** Stake accounts of wallets, with the state of their delegation. */
import { isMissing, type JsonObject } from "../../../base/index.ts";
import {
  amountOf,
  type ChainAccount,
  countOf,
  listOf,
  objectOf,
  PROGRAM,
  SYSVAR,
  textOf,
} from "../../../chain/solana/index.ts";
import type { AnswerContext, NodeAnswer } from "../answer.ts";
import { accountsOf, infoOf, readAccount } from "./accounts.ts";
import { exactNumber, pageOf } from "./values.ts";

/** Where the data of a stake account names its authorities. */
const STAKER_OFFSET = 12;
const WITHDRAWER_OFFSET = 44;
/** The epoch of something that does not happen. */
const NEVER = 2n ** 64n - 1n;
/** Share of all effective stake that may be activated or deactivated in an epoch. */
const WARMUP_RATE = 0.09;

/** A stake account of a wallet. Amounts are lamports. */
export interface StakeState {
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

/** The history of the cluster's stake by epoch. */
export type StakeHistory = ReadonlyMap<bigint, HistoryEntry>;

/** A delegation of stake. */
export interface Delegation {
  readonly stake: bigint;
  readonly activationEpoch: bigint;
  readonly deactivationEpoch: bigint;
}

/**
 * Returns the lamports of a delegation that are effective in an epoch. Stake warms up and cools down over epochs: the
 * cluster limits how much changes in each, and every delegation takes part in proportion.
 */
export function effectiveStake(
  { stake, activationEpoch, deactivationEpoch }: Delegation,
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
  const { node, sending } = context;
  const accountsWith = async (offset: number) => {
    const filters = [{ memcmp: { offset, bytes: wallet } }];
    const options = { commitment: node.commitment, encoding: "jsonParsed", filters };
    return accountsOf(await node.call("getProgramAccounts", [PROGRAM.stake, options], sending));
  };
  const [staked, withdrawn, epoch, history] = await Promise.all([
    accountsWith(STAKER_OFFSET),
    accountsWith(WITHDRAWER_OFFSET),
    readEpoch(context),
    readStakeHistory(context),
  ]);
  const accounts = new Map([...staked, ...withdrawn].map((account) => [account.address, account]));
  return [...accounts.values()].flatMap((account) => stakeOf(account, wallet, epoch, history) ?? []);
}

/** Returns the current epoch. */
export async function readEpoch({ node, sending }: AnswerContext): Promise<bigint> {
  const result = objectOf(await node.call("getEpochInfo", [{ commitment: node.commitment }], sending), "result");
  return BigInt(countOf(result.epoch, "epoch"));
}

/** Returns the history of the cluster's stake. */
export async function readStakeHistory(context: AnswerContext): Promise<StakeHistory> {
  const account = await readAccount(context, SYSVAR.stakeHistory);
  const rows = account?.parsed?.type === "stakeHistory" ? listOf(account.parsed.info.entries, "stakeHistory") : [];
  return new Map(
    rows.map((row) => {
      const { epoch, stakeHistory } = objectOf(row, "stakeHistory");
      const entry = objectOf(stakeHistory, "stakeHistory");
      const lamports = (name: string) => Number(amountOf(entry[name], name));
      const values = {
        effective: lamports("effective"),
        activating: lamports("activating"),
        deactivating: lamports("deactivating"),
      };
      return [BigInt(countOf(epoch, "epoch")), values] as const;
    }),
  );
}

function stakeOf(account: ChainAccount, wallet: string, epoch: bigint, history: StakeHistory): StakeState | undefined {
  const { meta, stake } = infoOf(account);
  if (isMissing(meta)) return undefined;
  const authorized = objectOf(objectOf(meta, "meta").authorized, "authorized");
  const staker = textOf(authorized.staker, "staker");
  const common = {
    address: account.address,
    lamports: account.lamports,
    staker,
    roles: [...(staker === wallet ? ["staker"] : []), ...(authorized.withdrawer === wallet ? ["withdrawer"] : [])],
  };
  const delegation = isMissing(stake) ? undefined : objectOf(objectOf(stake, "stake").delegation, "delegation");
  if (!delegation) {
    const none = { voter: undefined, activationEpoch: undefined, deactivationEpoch: undefined };
    return { ...common, ...none, delegated: 0n, active: 0n, status: "inactive" };
  }
  const epochs = {
    activationEpoch: amountOf(delegation.activationEpoch, "activationEpoch"),
    deactivationEpoch: amountOf(delegation.deactivationEpoch, "deactivationEpoch"),
  };
  const delegated = amountOf(delegation.stake, "stake");
  const active = effectiveStake({ ...epochs, stake: delegated }, epoch, history);
  return {
    ...common,
    voter: textOf(delegation.voter, "voter"),
    delegated,
    active,
    status: statusOf(epochs.deactivationEpoch, delegated, active),
    activationEpoch: epochs.activationEpoch,
    deactivationEpoch: epochs.deactivationEpoch === NEVER ? undefined : epochs.deactivationEpoch,
  };
}

function statusOf(deactivation: bigint, delegated: bigint, active: bigint): StakeState["status"] {
  if (deactivation !== NEVER) return active > 0n ? "deactivating" : "inactive";
  return active >= delegated ? "active" : "activating";
}

const byAmount = (key: "active" | "delegated", sign: number) => (a: StakeState, b: StakeState) =>
  sign * (a[key] === b[key] ? (a.address < b.address ? -1 : 1) : a[key] < b[key] ? -1 : 1);

/** `/account/stake`: stakes of a wallet, the largest first unless `sort_order` is asc. */
export const stake: NodeAnswer = async (context) => {
  const { params } = context;
  const stakes = await readStakes(context, params.required("address"));
  const key = params.text("sort_by") === "delegated_stake" ? "delegated" : "active";
  const sorted = stakes.toSorted(byAmount(key, params.text("sort_order") === "asc" ? 1 : -1));
  return { data: pageOf(sorted, params.integer("page"), params.integer("page_size")).map(stakeJson) };
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
export const legacyStakes: NodeAnswer = async (context) => {
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
