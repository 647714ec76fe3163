/** Accounts of Solana's own programs: stakes, votes, nonces, lookup tables, programs, configurations, sysvars. */
import { createHash } from "node:crypto";
import {
  listOf as arrayOf,
  capitalize,
  decodeBase58,
  encodeBase58,
  isObject,
  type Json,
  type JsonObject,
  parseJson,
} from "../../../base/index.ts";
import { PROGRAM, SYSVAR } from "../../../catalogue/index.ts";
import { ByteReader } from "../bytes.ts";
import {
  address,
  base64Bytes,
  bool,
  constant,
  type Fields,
  f64,
  i64,
  items,
  list64,
  listOf,
  NO_ADDRESS,
  option,
  padTo,
  type ReadValue,
  struct,
  text64,
  u8,
  u16,
  u32,
  u64,
  u64Text,
  u128Text,
  valueType,
} from "../values.ts";
import { type AccountLayout, byState, type SelectLayout } from "./layout.ts";

const meta = struct(
  {
    rentExemptReserve: u64Text,
    authorized: struct({ staker: address, withdrawer: address }, "Authorized"),
    lockup: struct({ unixTimestamp: i64, epoch: u64, custodian: address }, "Lockup"),
  },
  "Meta",
);
const delegation = struct(
  {
    voter: address,
    stake: u64Text,
    activationEpoch: u64Text,
    deactivationEpoch: u64Text,
    // The rate of the warm-up, which is no longer used.
    "#warmupRate": constant(f64, 0.25),
  },
  "Delegation",
);
const stake = struct({ delegation, creditsObserved: u64 }, "Stake");
const STAKE_BYTES = 200;

const state = (number: number) => ({ "#state": constant(u32, number) });

const UNINITIALIZED: AccountLayout = { type: "uninitialized", name: "Uninitialized", fields: state(0) };

const STAKE_STATE = "StakeStateV2";
const INITIALIZED_STAKE: AccountLayout = {
  type: "initialized",
  name: STAKE_STATE,
  fields: { ...state(1), meta, "#padding": padTo(STAKE_BYTES) },
  finish: (values) => ({ ...values, stake: null }),
};
const DELEGATED_STAKE: AccountLayout = {
  type: "delegated",
  name: STAKE_STATE,
  fields: { ...state(2), meta, stake, "#padding": padTo(STAKE_BYTES) },
};

const NONCE_BYTES = 80;
const NONCE: AccountLayout = {
  type: "initialized",
  name: "Nonce",
  fields: {
    "#version": constant(u32, 1),
    ...state(1),
    authority: address,
    blockhash: address,
    feeCalculator: struct({ lamportsPerSignature: u64Text }, "FeeCalculator"),
  },
};

/** Returns the nonce that an account gets in a block after the block with this hash. */
export const durableNonce = (parentHash: string): string =>
  encodeBase58(createHash("sha256").update("DURABLE_NONCE").update(decodeBase58(parentHash)).digest());

/** Accounts of the system program: only nonces have data. */
const selectNonce: SelectLayout = (data) => {
  const reader = new ByteReader(data);
  return data.length === NONCE_BYTES && reader.u32() <= 1 && reader.u32() === 1 ? NONCE : undefined;
};

/** Bytes before the addresses of a lookup table. */
const TABLE_HEADER = 56;

const LOOKUP_TABLE: AccountLayout = {
  type: "lookupTable",
  name: "AddressLookupTable",
  fields: {
    ...state(1),
    deactivationSlot: u64Text,
    lastExtendedSlot: u64Text,
    lastExtendedSlotStartIndex: u8,
    authority: option(address),
    "#padding": padTo(TABLE_HEADER),
    addresses: items(address, { size: 32 }),
  },
  finish: ({ authority, ...info }) => (authority == null ? info : { ...info, authority }),
};

/** Bytes before the code of a program. */
const PROGRAM_DATA_HEADER = 45;

const BUFFER: AccountLayout = { type: "buffer", name: "Buffer", fields: { ...state(1), authority: option(address) } };
const PROGRAM_ACCOUNT: AccountLayout = {
  type: "program",
  name: "Program",
  fields: { ...state(2), programData: address },
};
/** Without the code, which follows. */
const PROGRAM_DATA: AccountLayout = {
  type: "programData",
  name: "ProgramData",
  fields: { ...state(3), slot: u64, authority: option(address), "#padding": padTo(PROGRAM_DATA_HEADER) },
};

/** The first key of configurations in which validators describe themselves. */
const VALIDATOR_INFO = "Va1idator1nfo111111111111111111111111111111";

/** A number of up to 16 bits, seven in each byte. */
const compactLength = valueType((reader) => reader.compact(), {
  type: "shortU16",
  write(writer, value) {
    let rest = Number(value);
    for (; rest > 0x7f; rest >>= 7) writer.integer(BigInt((rest & 0x7f) | 0x80), 1);
    writer.integer(BigInt(rest), 1);
  },
});
const keys = listOf(struct({ pubkey: address, signer: bool }, "ConfigKey"), compactLength);

const STAKE_CONFIG: AccountLayout = {
  type: "stakeConfig",
  name: "StakeConfig",
  fields: { "#keys": keys, warmupCooldownRate: f64, slashPenalty: u8 },
};
const VALIDATOR: AccountLayout = {
  type: "validatorInfo",
  name: "ValidatorInfo",
  fields: { keys, configData: text64 },
  finish({ keys, configData }) {
    const parsed = parseJson(configData as string);
    return isObject(parsed) ? { keys: keys as Json, configData: parsed } : undefined;
  },
};

/** Configurations: what validators say about themselves, and the old configuration of stakes. */
const selectConfig: SelectLayout = (data, account) => {
  if (account === SYSVAR.stakeConfig) return STAKE_CONFIG;
  const [first] = keys(new ByteReader(data)) as readonly JsonObject[];
  return first?.pubkey === VALIDATOR_INFO ? VALIDATOR : undefined;
};

const feeCalculator = struct({ lamportsPerSignature: u64Text });
const history = struct({ effective: u64, activating: u64, deactivating: u64 });
const entries = (fields: Fields): Fields => ({ entries: list64(struct(fields)) });

/** The bits of the last million slots are omitted; the next slot stands at the end. */
const HISTORY_BYTES = 131_089;
const STAKE_HISTORY_BYTES = 16_392;
/** 150 blockhashes and 512 hashes of slots. */
const BLOCKHASHES_BYTES = 6008;
const SLOT_HASHES_BYTES = 20_488;

const SYSVAR_FIELDS: Readonly<Record<string, readonly [type: string, fields: Fields]>> = {
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
  [SYSVAR.recentBlockhashes]: [
    "recentBlockhashes",
    { ...entries({ blockhash: address, feeCalculator }), "#padding": padTo(BLOCKHASHES_BYTES) },
  ],
  [SYSVAR.rent]: ["rent", { lamportsPerByteYear: u64Text, exemptionThreshold: f64, burnPercent: u8 }],
  [SYSVAR.slotHashes]: [
    "slotHashes",
    { ...entries({ slot: u64, hash: address }), "#padding": padTo(SLOT_HASHES_BYTES) },
  ],
  [SYSVAR.slotHistory]: ["slotHistory", { "#bits": padTo(HISTORY_BYTES - 8), nextSlot: u64 }],
  [SYSVAR.stakeHistory]: [
    "stakeHistory",
    { ...entries({ epoch: u64, stakeHistory: history }), "#padding": padTo(STAKE_HISTORY_BYTES) },
  ],
};

const SYSVARS = new Map(
  Object.entries(SYSVAR_FIELDS).map(([account, [type, fields]]): readonly [string, AccountLayout] => [
    account,
    { type, name: capitalize(type), fields },
  ]),
);

/** Versions by their number in the data. The first one is no longer on the chain. */
const VERSION_2 = 1;
const VERSION_3 = 2;
const VERSION_4 = 3;

const PRIOR_VOTERS = 32;

const lockout = { slot: u64, confirmationCount: u32 };
const oldVotes = list64(struct(lockout, "Lockout"));
/** Newer versions store how late a vote was, which nodes do not show. */
const votes = list64(struct({ "#latency": u8, ...lockout }, "LandedVote"));
const authorizedVoters = list64(struct({ epoch: u64, authorizedVoter: address }));
const epochCredits = list64(struct({ epoch: u64, credits: u64Text, previousCredits: u64Text }));
const lastTimestamp = struct({ slot: u64, timestamp: i64 }, "BlockTimestamp");
const priorVoter = struct({ authorizedPubkey: address, epochOfLastAuthorizedSwitch: u64, targetEpoch: u64 });

/** The size of vote accounts, whose data is shorter. */
const VOTE_BYTES = 3762;

const voteLayout = (version: number, fields: Fields, finish: AccountLayout["finish"]): AccountLayout => ({
  type: "vote",
  name: "VoteState",
  fields: { "#version": constant(u32, version), ...fields, lastTimestamp, "#padding": padTo(VOTE_BYTES) },
  ...(finish && { finish }),
});

const withoutEmpty: AccountLayout["finish"] = ({ priorVoters, ...info }) => ({
  ...info,
  priorVoters: arrayOf(priorVoters).filter((voter) => isObject(voter) && voter.authorizedPubkey !== NO_ADDRESS),
});

const oldVoteState = (version: number, votesOf: ReadValue) =>
  voteLayout(
    version,
    {
      nodePubkey: address,
      authorizedWithdrawer: address,
      commission: u8,
      votes: votesOf,
      rootSlot: option(u64),
      authorizedVoters,
      priorVoters: items(priorVoter, { count: PRIOR_VOTERS }),
      // Position in the ring, and whether it is empty.
      "#priorIndex": constant(u64, PRIOR_VOTERS - 1),
      "#noPriorVoters": constant(u8, 1),
      epochCredits,
    },
    withoutEmpty,
  );

/** The fourth version has commissions in basis points, and collectors. Nodes show it like the others, in percent. */
const newVoteState = voteLayout(
  VERSION_4,
  {
    nodePubkey: address,
    authorizedWithdrawer: address,
    "#inflationRewardsCollector": address,
    "#blockRevenueCollector": address,
    commission: u16,
    "#blockRevenueCommissionBps": u16,
    "#pendingDelegatorRewards": u64Text,
    "#blsPubkey": option(base64Bytes(48)),
    votes,
    rootSlot: option(u64),
    authorizedVoters,
    epochCredits,
  },
  ({ commission, ...info }) => ({
    ...info,
    commission: Math.floor((commission as number) / 100),
    priorVoters: [],
  }),
);

/** By the number of the version. */
const VOTE_STATES: readonly (AccountLayout | undefined)[] = [
  undefined,
  oldVoteState(VERSION_2, oldVotes),
  oldVoteState(VERSION_3, votes),
  newVoteState,
];

/** Layouts of accounts that the simulated chain has. */
export const NATIVE_LAYOUTS = {
  nonce: NONCE,
  initializedStake: INITIALIZED_STAKE,
  delegatedStake: DELEGATED_STAKE,
  vote: VOTE_STATES[VERSION_3] as AccountLayout,
  lookupTable: LOOKUP_TABLE,
  program: PROGRAM_ACCOUNT,
  programData: PROGRAM_DATA,
  stakeConfig: STAKE_CONFIG,
  sysvar: (address: string): AccountLayout | undefined => SYSVARS.get(address),
};

/** Selections by the program that owns the account, with its name in the parsed form. */
export const NATIVE_SELECTIONS: Readonly<Record<string, readonly [program: string, select: SelectLayout]>> = {
  [PROGRAM.system]: ["nonce", selectNonce],
  [PROGRAM.stake]: [
    "stake",
    byState(UNINITIALIZED, INITIALIZED_STAKE, DELEGATED_STAKE, { ...UNINITIALIZED, type: "rewardsPool" }),
  ],
  [PROGRAM.vote]: ["vote", (data) => VOTE_STATES[new ByteReader(data).u32()]],
  [PROGRAM.lookupTable]: ["address-lookup-table", byState(UNINITIALIZED, LOOKUP_TABLE)],
  [PROGRAM.upgradeableLoader]: [
    "bpf-upgradeable-loader",
    byState(UNINITIALIZED, BUFFER, PROGRAM_ACCOUNT, PROGRAM_DATA),
  ],
  [PROGRAM.config]: ["config", selectConfig],
  [SYSVAR.owner]: ["sysvar", (_, account) => SYSVARS.get(account)],
};
