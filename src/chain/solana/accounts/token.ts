/** Mints, token accounts and multisig accounts of both token programs, with the extensions of Token-2022. */
import { isArray, isObject, type Json, type JsonObject, listOf } from "../../../base/index.ts";
import { attempt, ByteReader } from "../bytes.ts";
import { numbersOf, TOKEN_EXTENSIONS } from "../program-numbers.ts";
import {
  ACCOUNT_STATES,
  address,
  addressOrNull,
  base64Bytes,
  base64OrNull,
  bool,
  byteOf,
  constant,
  type Fields,
  f64Text,
  i16,
  i64,
  items,
  list32,
  NO_ADDRESS,
  paddedOption,
  padTo,
  readFields,
  sortKeys,
  struct,
  text32,
  u8,
  u16,
  u64,
  u64Text,
  uiTokenAmount,
  valueType,
} from "../values.ts";
import { type AccountLayout, type SelectLayout, writeLayout } from "./layout.ts";

const MINT_BYTES = 82;
const ACCOUNT_BYTES = 165;
const MULTISIG_BYTES = 355;
/** Where accounts with extensions say what they are. */
const KIND_MINT = 1;
const KIND_ACCOUNT = 2;

const MAX_SIGNERS = 11;
const SOL_DECIMALS = 9;
const WRAPPED_SOL = ["So11111111111111111111111111111111111111112", "9pan9bMn5HatX4EJdBwg9VgCa7Uz5HL8N1m5D3NdXej9"];

/** A mint. */
const MINT_FIELDS = {
  mintAuthority: paddedOption(address),
  supply: u64Text,
  decimals: u8,
  isInitialized: bool,
  freezeAuthority: paddedOption(address),
};

/** A token account. */
const ACCOUNT_FIELDS = {
  mint: address,
  owner: address,
  amount: u64Text,
  delegate: paddedOption(address),
  state: byteOf(ACCOUNT_STATES),
  isNative: paddedOption(u64Text),
  delegatedAmount: u64Text,
  closeAuthority: paddedOption(address),
};

function finishMint({ extensions, ...info }: Record<string, Json>): Record<string, Json> | undefined {
  if (info.isInitialized !== true) return undefined;
  return isArray(extensions) && extensions.length > 0 ? { ...info, extensions } : info;
}

function finishAccount(values: Record<string, Json>): Record<string, Json> | undefined {
  if (values.state === "uninitialized") return undefined;
  const {
    amount,
    isNative: reserve,
    delegate,
    delegatedAmount,
    closeAuthority,
    extensions,
    ...info
  } = values as Record<string, Json>;
  const isWrapped = WRAPPED_SOL.includes(info.mint as string);
  const amountOf = (value: Json | undefined): Json =>
    isWrapped ? uiTokenAmount(BigInt(value as string), SOL_DECIMALS) : (value as Json);
  return {
    ...info,
    isNative: reserve !== null,
    ...(isWrapped ? { tokenAmount: amountOf(amount) } : { amount: amount as Json }),
    ...(reserve === null ? {} : { rentExemptReserve: amountOf(reserve) }),
    ...(delegate === null ? {} : { delegate: delegate as Json, delegatedAmount: amountOf(delegatedAmount) }),
    ...(closeAuthority === null ? {} : { closeAuthority: closeAuthority as Json }),
    ...(isArray(extensions) && extensions.length > 0 ? { extensions } : {}),
  };
}

function finishMultisig({ signers, ...info }: Record<string, Json>): Record<string, Json> | undefined {
  if (info.isInitialized !== true) return undefined;
  return { ...info, signers: listOf(signers).filter((key) => key !== NO_ADDRESS) };
}

const MULTISIG: AccountLayout = {
  type: "multisig",
  name: "Multisig",
  fields: {
    numRequiredSigners: u8,
    numValidSigners: u8,
    isInitialized: bool,
    signers: items(address, { count: MAX_SIGNERS }),
  },
  finish: finishMultisig,
};

const fee = struct({ epoch: u64, maximumFee: u64, transferFeeBasisPoints: u16 });
/** Encrypted amounts, and amounts that only the owner can decrypt. */
const encrypted = base64Bytes(64);
const decryptable = base64Bytes(36);
const key = base64Bytes(32);

/** Pairs of texts, as nodes write them. */
const pairs = list32(items(text32, { count: 2 }));

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

/** Returns the number of an extension by the name that nodes give it. */
const numberOf = (name: Json | undefined): number =>
  EXTENSIONS.findIndex((each) => (NODE_NAMES[each] ?? each) === name);

/** Extensions: each has a number, a length and its state. */
const extensions = valueType(
  (reader) => {
    const list: JsonObject[] = [];
    while (reader.remaining >= 4) {
      const number = reader.u16();
      if (number === 0) break;
      const state = reader.take(reader.u16());
      list.push(readExtension(EXTENSIONS[number] ?? UNKNOWN, state));
    }
    return list;
  },
  {
    type: { vec: { defined: { name: "Extension" } } },
    write(writer, value) {
      for (const { extension, state } of listOf(value).filter(isObject)) {
        const number = numberOf(extension);
        if (number <= 0) continue;
        const fields = EXTENSION_FIELDS[EXTENSIONS[number] ?? ""] ?? {};
        const bytes = writeLayout({ fields }, isObject(state) ? state : {});
        writer.integer(BigInt(number), 2);
        writer.integer(BigInt(bytes.length), 2);
        writer.bytes(bytes);
      }
    },
  },
);

function readExtension(name: string, bytes: Uint8Array): JsonObject {
  const fields = EXTENSION_FIELDS[name];
  const extension = NODE_NAMES[name] ?? name;
  if (fields === undefined) return { extension };
  const state = attempt(() => sortKeys(readFields(new ByteReader(bytes), fields)));
  return state ? { extension, state } : { extension: UNKNOWN };
}

/** Returns the fields with extensions after them, from the size of a token account on. */
const extended = (fields: Fields, kind: number): Fields => ({
  ...fields,
  "#padding": padTo(ACCOUNT_BYTES),
  "#kind": constant(u8, kind),
  extensions,
});

const MINT: AccountLayout = { type: "mint", name: "Mint", fields: MINT_FIELDS, finish: finishMint };
const ACCOUNT: AccountLayout = { type: "account", name: "TokenAccount", fields: ACCOUNT_FIELDS, finish: finishAccount };

/** The layouts of the token programs' accounts: those of Token-2022 may have extensions. */
export const TOKEN_LAYOUTS = {
  mint: MINT,
  account: ACCOUNT,
  multisig: MULTISIG,
  extendedMint: { ...MINT, fields: extended(MINT_FIELDS, KIND_MINT) },
  extendedAccount: { ...ACCOUNT, fields: extended(ACCOUNT_FIELDS, KIND_ACCOUNT) },
};

/** Accounts of the token programs: their size says what they are, or a byte after the size of a token account. */
export const selectToken: SelectLayout = (data) => {
  if (data.length === MINT_BYTES) return MINT;
  if (data.length === ACCOUNT_BYTES) return ACCOUNT;
  if (data.length === MULTISIG_BYTES) return MULTISIG;
  if (data[ACCOUNT_BYTES] === KIND_MINT) return TOKEN_LAYOUTS.extendedMint;
  return data[ACCOUNT_BYTES] === KIND_ACCOUNT ? TOKEN_LAYOUTS.extendedAccount : undefined;
};

/** Extensions of token accounts that those of their mints require. */
const REQUIRED: Readonly<Record<string, readonly string[]>> = {
  transferFeeConfig: ["transferFeeAmount"],
  nonTransferable: ["immutableOwner", "nonTransferableAccount"],
  transferHook: ["transferHookAccount"],
  pausableConfig: ["pausableAccount"],
};

/**
 * Returns the extensions of a new token account of Token-2022.
 * @param isAssociated whether it belongs to its owner by default, which makes the owner immutable
 */
export function requiredExtensions(mint: readonly JsonObject[], isAssociated: boolean): readonly JsonObject[] {
  const required = mint.flatMap(({ extension }) => REQUIRED[String(extension)] ?? []);
  return [...new Set(isAssociated ? ["immutableOwner", ...required] : required)].map((extension) => ({ extension }));
}
