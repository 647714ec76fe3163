/** Accounts of Solana's own programs: stakes, nonces, lookup tables, programs, configurations. */
import { isObject, type Json, parseJson } from "../../../base/index.ts";
import type { ByteReader } from "../bytes.ts";
import { address, bool, f64, i64, option, readFields, struct, text64, u8, u64, u64Text } from "../values.ts";
import type { AccountParser } from "./parser.ts";

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

/** Stake accounts. */
export const parseStake: AccountParser = (reader) => {
  const state = reader.u32();
  if (state === 0) return { type: "uninitialized", info: {} };
  if (state === 1) return { type: "initialized", info: { meta: meta(reader), stake: null } };
  if (state === 2) {
    return { type: "delegated", info: { meta: meta(reader), stake: readStake(reader) } };
  }
  return state === 3 ? { type: "rewardsPool", info: {} } : undefined;
};

const NONCE_BYTES = 80;

/** Accounts of the system program: only nonces have data. */
export const parseNonce: AccountParser = (reader) => {
  if (reader.remaining !== NONCE_BYTES || reader.u32() > 1 || reader.u32() !== 1) return undefined;
  const feeCalculator = struct({ lamportsPerSignature: u64Text });
  return { type: "initialized", info: readFields(reader, { authority: address, blockhash: address, feeCalculator }) };
};

/** Bytes before the addresses of a lookup table. */
const TABLE_HEADER = 56;

/** Address lookup tables. */
export const parseLookupTable: AccountParser = (reader) => {
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
export const parseUpgradeable: AccountParser = (reader) => {
  const state = reader.u32();
  if (state === 0) return { type: "uninitialized", info: {} };
  if (state === 1) return { type: "buffer", info: readFields(reader, { authority: option(address) }) };
  if (state === 2) return { type: "program", info: readFields(reader, { programData: address }) };
  return state === 3
    ? { type: "programData", info: readFields(reader, { slot: u64, authority: option(address) }) }
    : undefined;
};

/** The first key of configurations in which validators describe themselves. */
const VALIDATOR_INFO = "Va1idator1nfo111111111111111111111111111111";
const STAKE_CONFIG = "StakeConfig11111111111111111111111111111111";

/** Configurations: what validators say about themselves, and the old configuration of stakes. */
export const parseConfig: AccountParser = (reader, account) => {
  const keys = reader.list(reader.compact(), () => readFields(reader, { pubkey: address, signer: bool }));
  if (account === STAKE_CONFIG) {
    return { type: "stakeConfig", info: readFields(reader, { warmupCooldownRate: f64, slashPenalty: u8 }) };
  }
  if (keys[0]?.pubkey !== VALIDATOR_INFO) return undefined;
  const configData = parseJson(text64(reader) as string);
  return isObject(configData) ? { type: "validatorInfo", info: { keys, configData } } : undefined;
};
