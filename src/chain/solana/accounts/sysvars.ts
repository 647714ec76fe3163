/** Sysvars: accounts that the cluster maintains. Lists are in the member `entries`. */
import type { Json } from "../../../base/index.ts";
import { SYSVAR } from "../../../catalogue/index.ts";
import {
  address,
  bool,
  type Fields,
  f64,
  i64,
  list64,
  type ReadValue,
  readFields,
  struct,
  u8,
  u64,
  u64Text,
  u128Text,
} from "../values.ts";
import type { AccountParser } from "./parser.ts";

const feeCalculator = struct({ lamportsPerSignature: u64Text });
const history = struct({ effective: u64, activating: u64, deactivating: u64 });
const entries = (fields: Fields): Fields => ({ entries: list64(struct(fields)) });

/** The bits of the last million slots are omitted; the next slot stands at the end. */
const nextSlot: ReadValue = (reader): Json => {
  reader.offset = reader.bytes.length - 8;
  return u64(reader);
};

const TYPES: Readonly<Record<string, readonly [type: string, fields: Fields]>> = {
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

/** Sysvars, by their address. */
export const parseSysvar: AccountParser = (reader, account) => {
  const [type, fields] = TYPES[account] ?? [];
  return type === undefined || fields === undefined ? undefined : { type, info: readFields(reader, fields) };
};
