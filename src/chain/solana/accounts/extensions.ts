/** Extensions of mints and token accounts of Token-2022. */
import type { Json, JsonObject } from "../../../base/index.ts";
import { ByteReader } from "../bytes.ts";
import {
  address,
  addressOrNull,
  base64Bytes,
  base64OrNull,
  bool,
  byteOf,
  type Fields,
  f64Text,
  i16,
  i64,
  readFields,
  sortKeys,
  struct,
  text32,
  u16,
  u64,
} from "../values.ts";

const fee = struct({ epoch: u64, maximumFee: u64, transferFeeBasisPoints: u16 });
/** Encrypted amounts, and amounts that only the owner can decrypt. */
const encrypted = base64Bytes(64);
const decryptable = base64Bytes(36);
const key = base64Bytes(32);

/** Pairs of texts, as nodes write them. */
const pairs = (reader: ByteReader): Json => reader.list(reader.u32(), () => [text32(reader), text32(reader)]);

type Extension = readonly [name: string, fields?: Fields];

/** Extensions by their number, with the names that nodes give them. */
const EXTENSIONS: readonly Extension[] = [
  ["uninitialized"],
  [
    "transferFeeConfig",
    {
      transferFeeConfigAuthority: addressOrNull,
      withdrawWithheldAuthority: addressOrNull,
      withheldAmount: u64,
      olderTransferFee: fee,
      newerTransferFee: fee,
    },
  ],
  ["transferFeeAmount", { withheldAmount: u64 }],
  ["mintCloseAuthority", { closeAuthority: addressOrNull }],
  [
    "confidentialTransferMint",
    { authority: addressOrNull, autoApproveNewAccounts: bool, auditorElgamalPubkey: base64OrNull(32) },
  ],
  [
    "confidentialTransferAccount",
    {
      approved: bool,
      elgamalPubkey: key,
      pendingBalanceLo: encrypted,
      pendingBalanceHi: encrypted,
      availableBalance: encrypted,
      decryptableAvailableBalance: decryptable,
      allowConfidentialCredits: bool,
      allowNonConfidentialCredits: bool,
      pendingBalanceCreditCounter: u64,
      maximumPendingBalanceCreditCounter: u64,
      expectedPendingBalanceCreditCounter: u64,
      actualPendingBalanceCreditCounter: u64,
    },
  ],
  ["defaultAccountState", { accountState: byteOf(["uninitialized", "initialized", "frozen"]) }],
  ["immutableOwner"],
  ["memoTransfer", { requireIncomingTransferMemos: bool }],
  ["nonTransferable"],
  [
    "interestBearingConfig",
    {
      rateAuthority: addressOrNull,
      initializationTimestamp: i64,
      preUpdateAverageRate: i16,
      lastUpdateTimestamp: i64,
      currentRate: i16,
    },
  ],
  ["cpiGuard", { lockCpi: bool }],
  ["permanentDelegate", { delegate: addressOrNull }],
  ["nonTransferableAccount"],
  ["transferHook", { authority: addressOrNull, programId: addressOrNull }],
  ["transferHookAccount", { transferring: bool }],
  [
    "confidentialTransferFeeConfig",
    {
      authority: addressOrNull,
      withdrawWithheldAuthorityElgamalPubkey: base64OrNull(32),
      harvestToMintEnabled: bool,
      withheldAmount: encrypted,
    },
  ],
  ["confidentialTransferFeeAmount", { withheldAmount: encrypted }],
  ["metadataPointer", { authority: addressOrNull, metadataAddress: addressOrNull }],
  [
    "tokenMetadata",
    {
      updateAuthority: addressOrNull,
      mint: address,
      name: text32,
      symbol: text32,
      uri: text32,
      additionalMetadata: pairs,
    },
  ],
  ["groupPointer", { authority: addressOrNull, groupAddress: addressOrNull }],
  ["groupMemberPointer", { authority: addressOrNull, memberAddress: addressOrNull }],
  ["tokenGroup", { updateAuthority: addressOrNull, mint: address, size: u64, maxSize: u64 }],
  ["tokenGroupMember", { mint: address, group: address, memberNumber: u64 }],
  [
    "confidentialMintBurn",
    { confidentialSupply: encrypted, decryptableSupply: decryptable, supplyElgamalPubkey: key, pendingBurn: encrypted },
  ],
  [
    "scaledUiAmountConfig",
    { authority: addressOrNull, multiplier: f64Text, newMultiplierEffectiveTimestamp: i64, newMultiplier: f64Text },
  ],
  ["pausableConfig", { authority: addressOrNull, paused: bool }],
  ["pausableAccount"],
  ["permissionedBurn", { authority: addressOrNull }],
];

const UNKNOWN: Extension = ["unparseableExtension"];

/** Reads extensions: each has a number, a length and its state. */
export function readExtensions(reader: ByteReader): readonly JsonObject[] {
  const extensions: JsonObject[] = [];
  while (reader.remaining >= 4) {
    const number = reader.u16();
    if (number === 0) break;
    const state = reader.take(reader.u16());
    extensions.push(readExtension(EXTENSIONS[number] ?? UNKNOWN, state));
  }
  return extensions;
}

function readExtension([extension, fields]: Extension, bytes: Uint8Array): JsonObject {
  if (fields === undefined) return { extension };
  try {
    return { extension, state: sortKeys(readFields(new ByteReader(bytes), fields)) };
  } catch (error) {
    if (error instanceof RangeError) return { extension: UNKNOWN[0] };
    throw error;
  }
}
