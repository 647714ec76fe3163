/** Sysvars in the form of the `jsonParsed` encoding. */
import type { Account } from "./account.ts";
import { ByteReader } from "./byte-reader.ts";
import type { ParsedState } from "./parse-account.ts";
import type { Wire } from "./wire.ts";

const SYSVARS: Readonly<Record<string, (read: ByteReader, data: Uint8Array) => ParsedState>> = {
  SysvarC1ock11111111111111111111111111111111: (read) => {
    const [slot, epochStartTimestamp, epoch, leaderScheduleEpoch, unixTimestamp] = [
      read.u64(),
      read.i64(),
      read.u64(),
      read.u64(),
      read.i64(),
    ];
    return { type: "clock", info: { slot, epoch, epochStartTimestamp, leaderScheduleEpoch, unixTimestamp } };
  },
  SysvarEpochSchedu1e111111111111111111111111: (read) => ({
    type: "epochSchedule",
    info: {
      slotsPerEpoch: read.u64(),
      leaderScheduleSlotOffset: read.u64(),
      warmup: read.bool(),
      firstNormalEpoch: read.u64(),
      firstNormalSlot: read.u64(),
    },
  }),
  SysvarRent111111111111111111111111111111111: (read) => ({
    type: "rent",
    info: { lamportsPerByte: read.u64().toString() },
  }),
  SysvarRecentB1ockHashes11111111111111111111: (read) => ({
    type: "recentBlockhashes",
    info: read.list(() => ({
      blockhash: read.key(),
      feeCalculator: { lamportsPerSignature: read.u64().toString() },
    })),
  }),
  SysvarS1otHashes111111111111111111111111111: (read) => ({
    type: "slotHashes",
    info: read.list(() => ({ slot: read.u64(), hash: read.key() })),
  }),
  SysvarS1otHistory11111111111111111111111111: (_, data) => ({
    type: "slotHistory",
    info: { nextSlot: new DataView(data.buffer, data.byteOffset).getBigUint64(data.length - 8, true), bits: "" },
  }),
  SysvarStakeHistory1111111111111111111111111: (read) => ({
    type: "stakeHistory",
    info: read.list((): Wire => {
      const epoch = read.u64();
      return { epoch, stakeHistory: { effective: read.u64(), activating: read.u64(), deactivating: read.u64() } };
    }),
  }),
  SysvarLastRestartS1ot1111111111111111111111: (read) => ({
    type: "lastRestartSlot",
    info: { lastRestartSlot: read.u64() },
  }),
  SysvarEpochRewards1111111111111111111111111: (read) => {
    const distributionStartingBlockHeight = read.u64();
    const numPartitions = read.u64();
    const parentBlockhash = read.key();
    const totalPoints = (read.u64() + (read.u64() << 64n)).toString();
    const [totalRewards, distributedRewards] = [read.u64().toString(), read.u64().toString()];
    const active = read.bool();
    return {
      type: "epochRewards",
      info: {
        distributionStartingBlockHeight,
        numPartitions,
        parentBlockhash,
        totalPoints,
        totalRewards,
        distributedRewards,
        active,
      },
    };
  },
};

/** Parses a sysvar; undefined for those without a parser. */
export function parseSysvar({ address, data }: Account): ParsedState | undefined {
  return SYSVARS[address]?.(new ByteReader(data), data);
}
