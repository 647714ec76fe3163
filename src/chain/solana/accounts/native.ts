/** Accounts of Solana's own programs: stakes, votes, nonces, lookup tables, programs, configurations, sysvars. */
import { isObject, type Json, parseJson } from "../../../base/index.ts";
import { PROGRAM, SYSVAR } from "../../../catalogue/index.ts";
import type { ByteReader } from "../bytes.ts";
import {
  type AccountParser,
  address,
  bool,
  type Fields,
  f64,
  i64,
  list64,
  NO_ADDRESS,
  option,
  type ReadValue,
  readFields,
  struct,
  text64,
  u8,
  u16,
  u32,
  u64,
  u64Text,
  u128Text,
} from "../values.ts";

const meta = struct({
  rentExemptReserve: u64Text,
  authorized: struct({ staker: address, withdrawer: address }),
  lockup: struct({ unixTimestamp: i64, epoch: u64, custodian: address }),
});
const delegation = struct({ voter: address, stake: u64Text, activationEpoch: u64Text, deactivationEpoch: u64Text });

function readStake(reader: ByteReader): Json {
  const state = { delegation: delegation(reader) };
  // The rate of the warm-up, which is no longer used.
  reader.f64();
  return { ...state, creditsObserved: u64(reader) };
}

/** Returns the parser of accounts whose first four bytes are the number of their state. */
const byState =
  (...states: readonly (readonly [type: string, fields: Fields])[]): AccountParser =>
  (reader) =>
    parseFields(reader, states[reader.u32()]);

const parseFields = (reader: ByteReader, [type, fields]: readonly [type?: string, fields?: Fields] = []) =>
  type === undefined || fields === undefined ? undefined : { type, info: readFields(reader, fields) };

const parseStake = byState(
  ["uninitialized", {}],
  ["initialized", { meta, stake: () => null }],
  ["delegated", { meta, stake: readStake }],
  ["rewardsPool", {}],
);

const NONCE_BYTES = 80;

/** Accounts of the system program: only nonces have data. */
const parseNonce: AccountParser = (reader) => {
  if (reader.remaining !== NONCE_BYTES || reader.u32() > 1 || reader.u32() !== 1) return undefined;
  const feeCalculator = struct({ lamportsPerSignature: u64Text });
  return { type: "initialized", info: readFields(reader, { authority: address, blockhash: address, feeCalculator }) };
};

/** Bytes before the addresses of a lookup table. */
const TABLE_HEADER = 56;

const parseLookupTable: AccountParser = (reader) => {
  if (reader.u32() !== 1) return { type: "uninitialized", info: {} };
  const { authority, ...table } = readFields(reader, {
    deactivationSlot: u64Text,
    lastExtendedSlot: u64Text,
    lastExtendedSlotStartIndex: u8,
    authority: option(address),
  });
  reader.offset = TABLE_HEADER;
  const addresses = reader.list(Math.floor(reader.remaining / 32), () => reader.address());
  return {
    type: "lookupTable",
    info: { ...table, ...(authority === null ? {} : { authority: authority as Json }), addresses },
  };
};

/** Programs of the upgradeable loader, without their code. */
const parseUpgradeable = byState(
  ["uninitialized", {}],
  ["buffer", { authority: option(address) }],
  ["program", { programData: address }],
  ["programData", { slot: u64, authority: option(address) }],
);

/** The first key of configurations in which validators describe themselves. */
const VALIDATOR_INFO = "Va1idator1nfo111111111111111111111111111111";

/** Configurations: what validators say about themselves, and the old configuration of stakes. */
const parseConfig: AccountParser = (reader, account) => {
  const keys = reader.list(reader.compact(), () => readFields(reader, { pubkey: address, signer: bool }));
  if (account === SYSVAR.stakeConfig) {
    return { type: "stakeConfig", info: readFields(reader, { warmupCooldownRate: f64, slashPenalty: u8 }) };
  }
  if (keys[0]?.pubkey !== VALIDATOR_INFO) return undefined;
  const configData = parseJson(text64(reader) as string);
  return isObject(configData) ? { type: "validatorInfo", info: { keys, configData } } : undefined;
};

const feeCalculator = struct({ lamportsPerSignature: u64Text });
const history = struct({ effective: u64, activating: u64, deactivating: u64 });
const entries = (fields: Fields): Fields => ({ entries: list64(struct(fields)) });

/** The bits of the last million slots are omitted; the next slot stands at the end. */
const nextSlot: ReadValue = (reader): Json => {
  reader.offset = reader.bytes.length - 8;
  return u64(reader);
};

const SYSVARS: Readonly<Record<string, readonly [type: string, fields: Fields]>> = {
  [SYSVAR.clock]: [
    "clock",
    { slot: u64, epochStartTimestamp: i64, epoch: u64, leaderScheduleEpoch: u64, unixTimestamp: i64 },
  ],
  [SYSVAR.epochSchedule]: [
    "epochSchedule",
    { slotsPerEpoch: u64, leaderScheduleSlotOffset: u64, warmup: bool, firstNormalEpoch: u64, firstNormalSlot: u64 },
  ],
  [SYSVAR.epochRewards]: [
    "epochRewards",
    {
      distributionStartingBlockHeight: u64,
      numPartitions: u64,
      parentBlockhash: address,
      totalPoints: u128Text,
      totalRewards: u64Text,
      distributedRewards: u64Text,
      active: bool,
    },
  ],
  [SYSVAR.fees]: ["fees", { feeCalculator }],
  [SYSVAR.lastRestartSlot]: ["lastRestartSlot", { lastRestartSlot: u64 }],
  [SYSVAR.recentBlockhashes]: ["recentBlockhashes", entries({ blockhash: address, feeCalculator })],
  [SYSVAR.rent]: ["rent", { lamportsPerByteYear: u64Text, exemptionThreshold: f64, burnPercent: u8 }],
  [SYSVAR.slotHashes]: ["slotHashes", entries({ slot: u64, hash: address })],
  [SYSVAR.slotHistory]: ["slotHistory", { nextSlot }],
  [SYSVAR.stakeHistory]: ["stakeHistory", entries({ epoch: u64, stakeHistory: history })],
};

const parseSysvar: AccountParser = (reader, account) => parseFields(reader, SYSVARS[account]);

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

const voteState = (readVotes: typeof votes) => ({
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

const parseVote: AccountParser = (reader) => {
  const version = reader.u32();
  if (version === VERSION_2) return { type: "vote", info: readFields(reader, voteState(oldVotes)) };
  if (version === VERSION_3) return { type: "vote", info: readFields(reader, voteState(votes)) };
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

/** Parsers by the program that owns the account, with its name in the parsed form. */
export const NATIVE_PARSERS: Readonly<Record<string, readonly [program: string, parse: AccountParser]>> = {
  [PROGRAM.system]: ["nonce", parseNonce],
  [PROGRAM.stake]: ["stake", parseStake],
  [PROGRAM.vote]: ["vote", parseVote],
  [PROGRAM.lookupTable]: ["address-lookup-table", parseLookupTable],
  [PROGRAM.upgradeableLoader]: ["bpf-upgradeable-loader", parseUpgradeable],
  [PROGRAM.config]: ["config", parseConfig],
  [SYSVAR.owner]: ["sysvar", parseSysvar],
};
