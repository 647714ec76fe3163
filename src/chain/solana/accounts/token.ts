/** Mints, token accounts and multisig accounts of both token programs, with the extensions of Token-2022. */
import type { Json, JsonObject } from "../../../base/index.ts";
import { attempt, ByteReader } from "../bytes.ts";
import { numbersOf, TOKEN_EXTENSIONS } from "../program-numbers.ts";
import {
  ACCOUNT_STATES,
  type AccountParser,
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
  NO_ADDRESS,
  type ParsedAccount,
  paddedOption,
  readFields,
  sortKeys,
  struct,
  text32,
  u8,
  u16,
  u64,
  u64Text,
  uiTokenAmount,
} from "../values.ts";

const MINT_BYTES = 82;
const ACCOUNT_BYTES = 165;
const MULTISIG_BYTES = 355;
/** Where accounts with extensions say what they are. */
const KIND_MINT = 1;
const KIND_ACCOUNT = 2;

const MAX_SIGNERS = 11;
const SOL_DECIMALS = 9;
const WRAPPED_SOL = ["So11111111111111111111111111111111111111112", "9pan9bMn5HatX4EJdBwg9VgCa7Uz5HL8N1m5D3NdXej9"];

/** Accounts of the token programs: their size says what they are, or a byte after the size of a token account. */
export const parseToken: AccountParser = (reader) => {
  const size = reader.remaining;
  if (size === MINT_BYTES) return readMint(reader);
  if (size === ACCOUNT_BYTES) return readAccount(reader);
  if (size === MULTISIG_BYTES) return readMultisig(reader);
  const kind = reader.bytes[ACCOUNT_BYTES];
  if (kind !== KIND_MINT && kind !== KIND_ACCOUNT) return undefined;
  const base = kind === KIND_MINT ? readMint(reader) : readAccount(reader);
  reader.offset = ACCOUNT_BYTES + 1;
  const extensions = readExtensions(reader);
  return base && (extensions.length === 0 ? base : { ...base, info: { ...base.info, extensions } });
};

function readMint(reader: ByteReader): ParsedAccount | undefined {
  const info = readFields(reader, {
    mintAuthority: paddedOption(address),
    supply: u64Text,
    decimals: u8,
    isInitialized: bool,
    freezeAuthority: paddedOption(address),
  });
  return info.isInitialized === true ? { type: "mint", info } : undefined;
}

function readAccount(reader: ByteReader): ParsedAccount | undefined {
  const account = readFields(reader, {
    mint: address,
    owner: address,
    amount: u64Text,
    delegate: paddedOption(address),
    state: byteOf(ACCOUNT_STATES),
    reserve: paddedOption(u64Text),
    delegatedAmount: u64Text,
    closeAuthority: paddedOption(address),
  });
  if (account.state === "uninitialized") return undefined;
  const { amount, reserve, delegate, delegatedAmount, closeAuthority, ...info } = account as Record<string, Json>;
  const isNative = WRAPPED_SOL.includes(info.mint as string);
  const amountOf = (value: Json | undefined): Json =>
    isNative ? uiTokenAmount(BigInt(value as string), SOL_DECIMALS) : (value as Json);
  return {
    type: "account",
    info: {
      ...info,
      isNative: reserve !== null,
      ...(isNative ? { tokenAmount: amountOf(amount) } : { amount: amount as Json }),
      ...(reserve === null ? {} : { rentExemptReserve: amountOf(reserve) }),
      ...(delegate === null ? {} : { delegate: delegate as Json, delegatedAmount: amountOf(delegatedAmount) }),
      ...(closeAuthority === null ? {} : { closeAuthority: closeAuthority as Json }),
    },
  };
}

function readMultisig(reader: ByteReader): ParsedAccount | undefined {
  const info = readFields(reader, { numRequiredSigners: u8, numValidSigners: u8, isInitialized: bool });
  if (info.isInitialized !== true) return undefined;
  const signers = Array.from({ length: MAX_SIGNERS }, () => reader.address()).filter((key) => key !== NO_ADDRESS);
  return { type: "multisig", info: { ...info, signers } };
}

const fee = struct({ epoch: u64, maximumFee: u64, transferFeeBasisPoints: u16 });
/** Encrypted amounts, and amounts that only the owner can decrypt. */
const encrypted = base64Bytes(64);
const decryptable = base64Bytes(36);
const key = base64Bytes(32);

/** Pairs of texts, as nodes write them. */
const pairs = (reader: ByteReader): Json => reader.list(reader.u32(), () => [text32(reader), text32(reader)]);

/** The state of extensions by their names in the client of Token-2022; others have none. */
const EXTENSION_FIELDS: Readonly<Record<string, Fields>> = {
  transferFeeConfig: {
    transferFeeConfigAuthority: addressOrNull,
    withdrawWithheldAuthority: addressOrNull,
    withheldAmount: u64,
    olderTransferFee: fee,
    newerTransferFee: fee,
  },
  transferFeeAmount: { withheldAmount: u64 },
  mintCloseAuthority: { closeAuthority: addressOrNull },
  confidentialTransferMint: {
    authority: addressOrNull,
    autoApproveNewAccounts: bool,
    auditorElgamalPubkey: base64OrNull(32),
  },
  confidentialTransferAccount: {
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
  defaultAccountState: { accountState: byteOf(ACCOUNT_STATES) },
  memoTransfer: { requireIncomingTransferMemos: bool },
  interestBearingConfig: {
    rateAuthority: addressOrNull,
    initializationTimestamp: i64,
    preUpdateAverageRate: i16,
    lastUpdateTimestamp: i64,
    currentRate: i16,
  },
  cpiGuard: { lockCpi: bool },
  permanentDelegate: { delegate: addressOrNull },
  transferHook: { authority: addressOrNull, programId: addressOrNull },
  transferHookAccount: { transferring: bool },
  confidentialTransferFee: {
    authority: addressOrNull,
    withdrawWithheldAuthorityElgamalPubkey: base64OrNull(32),
    harvestToMintEnabled: bool,
    withheldAmount: encrypted,
  },
  confidentialTransferFeeAmount: { withheldAmount: encrypted },
  metadataPointer: { authority: addressOrNull, metadataAddress: addressOrNull },
  tokenMetadata: {
    updateAuthority: addressOrNull,
    mint: address,
    name: text32,
    symbol: text32,
    uri: text32,
    additionalMetadata: pairs,
  },
  groupPointer: { authority: addressOrNull, groupAddress: addressOrNull },
  tokenGroup: { updateAuthority: addressOrNull, mint: address, size: u64, maxSize: u64 },
  groupMemberPointer: { authority: addressOrNull, memberAddress: addressOrNull },
  tokenGroupMember: { mint: address, group: address, memberNumber: u64 },
  confidentialMintBurn: {
    confidentialSupply: encrypted,
    decryptableSupply: decryptable,
    supplyElgamalPubkey: key,
    pendingBurn: encrypted,
  },
  scaledUiAmountConfig: {
    authority: addressOrNull,
    multiplier: f64Text,
    newMultiplierEffectiveTimestamp: i64,
    newMultiplier: f64Text,
  },
  pausableConfig: { authority: addressOrNull, paused: bool },
  permissionedBurn: { authority: addressOrNull },
};

/** Names that nodes give to extensions where the client has others: in accounts, and in instructions. */
const NODE_NAMES: Readonly<Record<string, string>> = { confidentialTransferFee: "confidentialTransferFeeConfig" };
const NODE_TYPES: Readonly<Record<string, string>> = {
  ...NODE_NAMES,
  scaledUiAmountConfig: "scaledUiAmount",
  pausableConfig: "pausable",
};

/** Extensions by their number. */
const EXTENSIONS: readonly string[] = [...numbersOf(TOKEN_EXTENSIONS).keys()];

/** Extensions by their number, with the names that nodes give them in instructions. */
export const EXTENSION_NAMES: readonly string[] = EXTENSIONS.map((name) => NODE_TYPES[name] ?? name);

const UNKNOWN = "unparseableExtension";

/** Reads extensions: each has a number, a length and its state. */
function readExtensions(reader: ByteReader): readonly JsonObject[] {
  const extensions: JsonObject[] = [];
  while (reader.remaining >= 4) {
    const number = reader.u16();
    if (number === 0) break;
    const state = reader.take(reader.u16());
    extensions.push(readExtension(EXTENSIONS[number] ?? UNKNOWN, state));
  }
  return extensions;
}

function readExtension(name: string, bytes: Uint8Array): JsonObject {
  const fields = EXTENSION_FIELDS[name];
  const extension = NODE_NAMES[name] ?? name;
  if (fields === undefined) return { extension };
  const state = attempt(() => sortKeys(readFields(new ByteReader(bytes), fields)));
  return state ? { extension, state } : { extension: UNKNOWN };
}
