/** Methods about the cluster: validators, stake, inflation, the node itself. */
import { getStakeStateAccountDecoder, STAKE_PROGRAM_ADDRESS } from "@solana-program/stake";
import type { AccountView } from "../account.ts";
import { RpcError } from "../errors.ts";
import { readVote, VOTE_PROGRAM } from "../parse-vote.ts";
import type { Wire } from "../wire.ts";
import { accountsOf, blockOf, checkAddress, type Method, optionsAt, slotAt, VERSION, withContext } from "./request.ts";

const FEATURE_SET = 3_640_012_085;

/** Lamports that stakes delegate to each vote account in an epoch. */
function activatedStakes(view: AccountView, epoch: number): Map<string, bigint> {
  const stakes = new Map<string, bigint>();
  for (const { data } of view.ownedBy(STAKE_PROGRAM_ADDRESS)) {
    const { state } = getStakeStateAccountDecoder().decode(data);
    if (state.__kind !== "Stake") continue;
    const { voterPubkey, stake, activationEpoch, deactivationEpoch } = state.fields[1].delegation;
    const isActive = activationEpoch < BigInt(epoch) && BigInt(epoch) <= deactivationEpoch;
    if (isActive) stakes.set(voterPubkey, (stakes.get(voterPubkey) ?? 0n) + stake);
  }
  return stakes;
}

const getVoteAccounts: Method = (context, params) => {
  const options = optionsAt(params, 0);
  const view = accountsOf(context, options);
  const stakes = activatedStakes(view, context.chain.epochOf(view.slot));
  const rows = view.ownedBy(VOTE_PROGRAM).flatMap(({ address, data }) => {
    if (options.votePubkey !== undefined && options.votePubkey !== address) return [];
    const { node, commission, lastVote, rootSlot, epochCredits } = readVote(data);
    return [
      {
        votePubkey: address,
        nodePubkey: node,
        activatedStake: stakes.get(address) ?? 0,
        epochVoteAccount: stakes.has(address),
        commission,
        lastVote,
        epochCredits: epochCredits.slice(-5),
        rootSlot: rootSlot ?? 0,
      },
    ];
  });
  // A validator that votes now and then is current: litesvm has no consensus that it could fall behind.
  return { current: rows, delinquent: [] };
};

const getClusterNodes: Method = ({ chain }) =>
  chain.leaders.map((pubkey, index) => ({
    pubkey,
    gossip: `127.0.0.1:${8001 + index}`,
    tpu: `127.0.0.1:${8003 + index}`,
    tpuQuic: `127.0.0.1:${8009 + index}`,
    rpc: null,
    pubsub: null,
    version: VERSION,
    featureSet: FEATURE_SET,
    shredVersion: 50_093,
  }));

/** Rewards are what {@link TestChain.reward} put in the first blocks of the epoch that follows. */
const getInflationReward: Method = (context, params) => {
  const addresses = ((params[0] ?? []) as readonly Wire[]).map((key) => checkAddress(key));
  const options = optionsAt(params, 1);
  const { chain } = context;
  const current = chain.epochOf(blockOf(context, options).slot);
  const epoch = Number(options.epoch ?? current - 1);
  if (epoch >= current || epoch < 0) {
    throw new RpcError(-32004, `Block not available for slot ${(epoch + 1) * chain.slotsPerEpoch}`);
  }
  const blocks = chain.blocks.filter(({ slot }) => chain.epochOf(slot) === epoch + 1);
  const rewards = blocks.flatMap(({ slot, rewards: list }) =>
    list
      .filter(({ rewardType }) => rewardType === "Staking" || rewardType === "Voting")
      .map((each) => ({ slot, ...each })),
  );
  return addresses.map((key): Wire => {
    const reward = rewards.find(({ pubkey }) => pubkey === key);
    if (reward === undefined) return null;
    const { slot, lamports, postBalance, commission } = reward;
    return { epoch, effectiveSlot: slot, amount: lamports, postBalance, commission };
  });
};

const getMinimumBalance: Method = ({ chain }, params) =>
  chain.svm.minimumBalanceForRentExemption(BigInt(slotAt(params, 0)));

export const CLUSTER_METHODS: Readonly<Record<string, Method>> = {
  getHealth: () => "ok",
  getVersion: () => ({ "feature-set": FEATURE_SET, "solana-core": VERSION }),
  getGenesisHash: ({ chain }) => chain.genesisHash,
  getIdentity: ({ chain }) => ({ identity: chain.leaders[0] ?? "" }),
  getVoteAccounts,
  getClusterNodes,
  getInflationReward,
  getInflationGovernor: () => ({ foundation: 0, foundationTerm: 0, initial: 0.08, taper: 0.15, terminal: 0.015 }),
  getInflationRate: (context) => ({
    epoch: context.chain.epochOf(context.chain.tip.slot),
    foundation: 0,
    total: 0.08,
    validator: 0.08,
  }),
  getStakeMinimumDelegation: (context, params) => withContext(blockOf(context, optionsAt(params, 0)).slot, 1),
  getMinimumBalanceForRentExemption: getMinimumBalance,
  getHighestSnapshotSlot: ({ chain }) => ({ full: chain.blockAt("finalized").slot, incremental: null }),
  getMaxRetransmitSlot: ({ chain }) => chain.tip.slot,
  getMaxShredInsertSlot: ({ chain }) => chain.tip.slot,
};
