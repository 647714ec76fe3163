/** Vote accounts, in the versions that the cluster has had since 2021. */
import type { Json } from "../../../base/index.ts";
import type { ByteReader } from "../bytes.ts";
import { address, i64, list64, NO_ADDRESS, option, readFields, struct, u8, u16, u32, u64, u64Text } from "../values.ts";
import type { AccountParser } from "./parser.ts";

/** Versions by their number in the data. The first one is no longer on the chain. */
const VERSION_2 = 1;
const VERSION_3 = 2;
const VERSION_4 = 3;

const PRIOR_VOTERS = 32;

const lockout = { slot: u64, confirmationCount: u32 };
const oldVotes = list64(struct(lockout));
/** Newer versions store how late a vote was, which nodes do not show. */
const votes = list64((reader) => {
  reader.u8();
  return readFields(reader, lockout);
});
const authorizedVoters = list64(struct({ epoch: u64, authorizedVoter: address }));
const epochCredits = list64(struct({ epoch: u64, credits: u64Text, previousCredits: u64Text }));
const lastTimestamp = struct({ slot: u64, timestamp: i64 });

function priorVoters(reader: ByteReader): Json {
  const read = { authorizedPubkey: address, epochOfLastAuthorizedSwitch: u64, targetEpoch: u64 };
  const voters = Array.from({ length: PRIOR_VOTERS }, () => readFields(reader, read));
  // Position in the ring, and whether it is empty.
  readFields(reader, { index: u64, isEmpty: u8 });
  return voters.filter(({ authorizedPubkey }) => authorizedPubkey !== NO_ADDRESS);
}

const state = (readVotes: typeof votes) => ({
  nodePubkey: address,
  authorizedWithdrawer: address,
  commission: u8,
  votes: readVotes,
  rootSlot: option(u64),
  authorizedVoters,
  priorVoters,
  epochCredits,
  lastTimestamp,
});

/** Vote accounts. */
export const parseVote: AccountParser = (reader) => {
  const version = reader.u32();
  if (version === VERSION_2) return { type: "vote", info: readFields(reader, state(oldVotes)) };
  if (version === VERSION_3) return { type: "vote", info: readFields(reader, state(votes)) };
  return version === VERSION_4 ? { type: "vote", info: readVersion4(reader) } : undefined;
};

/** The fourth version has commissions in basis points, and collectors. Nodes show it like the others, in percent. */
function readVersion4(reader: ByteReader): Record<string, Json> {
  const head = readFields(reader, {
    nodePubkey: address,
    authorizedWithdrawer: address,
    inflationRewardsCollector: address,
    blockRevenueCollector: address,
    inflationRewardsCommissionBps: u16,
    blockRevenueCommissionBps: u16,
    pendingDelegatorRewards: u64Text,
    blsPubkey: option((data) => data.take(48).length),
  });
  const { nodePubkey, authorizedWithdrawer, inflationRewardsCommissionBps } = head as Record<string, Json>;
  return {
    nodePubkey: nodePubkey as Json,
    authorizedWithdrawer: authorizedWithdrawer as Json,
    commission: Math.floor((inflationRewardsCommissionBps as number) / 100),
    ...readFields(reader, { votes, rootSlot: option(u64), authorizedVoters, epochCredits, lastTimestamp }),
    priorVoters: [],
  };
}
