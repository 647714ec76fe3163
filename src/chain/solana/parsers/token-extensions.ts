/** Instructions of the extensions of Token-2022. */
import type { Json } from "../../../base/index.ts";
import type { ByteReader } from "../bytes.ts";
import {
  ACCOUNT_STATES,
  address,
  addressOrNull,
  base64Bytes,
  base64OrNull,
  bool,
  byteOf,
  exactNumber,
  f64Text,
  i8,
  i16,
  i64,
  option,
  text32,
  u8,
  u16,
  u64,
  u64Text,
  uiTokenAmount,
} from "../values.ts";
import { type Layout, layout, omitNulls, signedBeforeSources, signedBy } from "./layout.ts";

/** An amount with the decimals that it must have. */
export const CHECKED_AMOUNT = { amount: u64Text, decimals: u8 };

/** Replaces amount and decimals by a token amount. */
export function asTokenAmount(info: Record<string, Json>): void {
  info.tokenAmount = uiTokenAmount(BigInt(info.amount as string), info.decimals as number);
  delete info.amount;
  delete info.decimals;
}

/** Lists the accounts after the mint as sources. */
const listSources: Layout["finish"] = (info, { accounts }) => {
  info.sourceAccounts = accounts.slice(1);
};

/** Returns the two instructions that switch something of an account on and off. */
const onOff = (name: string, type: string): readonly Layout[] => [
  signedBy("owner", layout(`enable${name} enable${type}`, "account")),
  signedBy("owner", layout(`disable${name} disable${type}`, "account")),
];

const TRANSFER_FEE: readonly Layout[] = [
  layout(
    "initializeTransferFeeConfig",
    "mint",
    {
      transferFeeConfigAuthority: option(address),
      withdrawWithheldAuthority: option(address),
      transferFeeBasisPoints: u16,
      maximumFee: u64,
    },
    omitNulls,
  ),
  signedBy(
    "authority",
    layout("transferCheckedWithFee", "source mint destination", { ...CHECKED_AMOUNT, fee: u64Text }, (info) => {
      info.feeAmount = uiTokenAmount(BigInt(info.fee as string), info.decimals as number);
      delete info.fee;
      asTokenAmount(info);
    }),
  ),
  signedBy("withdrawWithheldAuthority", layout("withdrawWithheldTokensFromMint", "mint feeRecipient")),
  signedBeforeSources(
    "withdrawWithheldAuthority",
    layout("withdrawWithheldTokensFromAccounts", "mint feeRecipient", { count: u8 }),
  ),
  layout("harvestWithheldTokensToMint", "mint", {}, listSources),
  signedBy(
    "transferFeeConfigAuthority",
    layout("setTransferFee", "mint", { transferFeeBasisPoints: u16, maximumFee: u64 }),
    // Written like this by nodes.
    "multisigtransferFeeConfigAuthority",
  ),
];

/** Instructions with proofs: nodes guess which accounts hold them; here only the certain accounts have names. */
const CONFIDENTIAL_TRANSFER: readonly Layout[] = [
  layout(
    "initializeConfidentialTransferMint",
    "mint",
    { authority: addressOrNull, autoApproveNewAccounts: bool, auditorElGamalPubkey: base64OrNull(32) },
    (info) => {
      if (info.authority === null) delete info.authority;
    },
  ),
  layout("updateConfidentialTransferMint", "mint confidentialTransferMintAuthority", {
    autoApproveNewAccounts: bool,
    auditorElGamalPubkey: base64OrNull(32),
  }),
  layout("configureConfidentialTransferAccount", "account mint", {
    decryptableZeroBalance: base64Bytes(36),
    maximumPendingBalanceCreditCounter: u64,
    proofInstructionOffset: i8,
  }),
  layout("approveConfidentialTransferAccount", "account mint confidentialTransferAuditorAuthority"),
  layout("emptyConfidentialTransferAccount", "account", { proofInstructionOffset: i8 }),
  signedBy(
    "owner",
    layout("confidentialDeposit depositConfidentialTransfer", "account mint", { amount: u64, decimals: u8 }),
  ),
  layout("confidentialWithdraw withdrawConfidentialTransfer", "account mint", {
    amount: u64,
    decimals: u8,
    newDecryptableAvailableBalance: base64Bytes(36),
    equalityProofInstructionOffset: i8,
    rangeProofInstructionOffset: i8,
  }),
  layout("confidentialTransfer", "source mint destination"),
  signedBy(
    "owner",
    layout("applyConfidentialPendingBalance applyPendingConfidentialTransferBalance", "account", {
      expectedPendingBalanceCreditCounter: u64,
      newDecryptableAvailableBalance: base64Bytes(36),
    }),
  ),
  ...onOff("ConfidentialCredits", "ConfidentialTransferConfidentialCredits"),
  ...onOff("NonConfidentialCredits", "ConfidentialTransferNonConfidentialCredits"),
  layout("confidentialTransferWithFee", "source mint destination"),
  layout("configureConfidentialTransferAccountWithRegistry", "account mint"),
];

const accountState = byteOf(ACCOUNT_STATES);

const CONFIDENTIAL_FEE: readonly Layout[] = [
  layout(
    "initializeConfidentialTransferFee initializeConfidentialTransferFeeConfig",
    "mint",
    {
      authority: addressOrNull,
      withdrawWithheldAuthorityElGamalPubkey: base64OrNull(32),
    },
    omitNulls,
  ),
  layout(
    "withdrawWithheldTokensFromMintForConfidentialTransferFee withdrawWithheldConfidentialTransferTokensFromMint",
    "mint feeRecipient",
  ),
  layout(
    "withdrawWithheldTokensFromAccountsForConfidentialTransferFee withdrawWithheldConfidentialTransferTokensFromAccounts",
    "mint feeRecipient",
  ),
  layout(
    "harvestWithheldTokensToMintForConfidentialTransferFee harvestWithheldConfidentialTransferTokensToMint",
    "mint",
    {},
    listSources,
  ),
  ...onOff("HarvestToMint", "ConfidentialTransferFeeHarvestToMint"),
];

/** Returns the two instructions of an extension that stores an address in a mint. */
const pointer = (name: string, member: string): readonly Layout[] => [
  layout(`initialize${name}`, "mint", { authority: addressOrNull, [member]: addressOrNull }, omitNulls),
  signedBy("authority", layout(`update${name}`, "mint", { [member]: addressOrNull }, omitNulls)),
];

const CONFIDENTIAL_MINT_BURN: readonly Layout[] = [
  "initializeConfidentialMintBurn initializeConfidentialMintBurnMint",
  "rotateSupplyElgamalPubkey rotateConfidentialMintBurnSupplyElGamalPubkey",
  "updateConfidentialMintBurnDecryptableSupply",
].map((type) => layout(type, "mint"));

const PERMISSIONED_BURN: readonly Layout[] = [
  layout("initializePermissionedBurn initializePermissionedBurnConfig", "mint", { authority: address }),
  signedBy("authority", layout("permissionedBurn", "account mint permissionedBurnAuthority", { amount: u64Text })),
  signedBy(
    "authority",
    layout("permissionedBurnChecked", "account mint permissionedBurnAuthority", CHECKED_AMOUNT, asTokenAmount),
  ),
  layout("permissionedConfidentialBurn", "account mint"),
];

const FIELD_NAMES = ["name", "symbol", "uri"];

/** The instructions of extensions, and of the interfaces for metadata and groups. */
export const EXTENSION_LAYOUTS: readonly Layout[] = [
  ...TRANSFER_FEE,
  ...CONFIDENTIAL_TRANSFER,
  layout("initializeDefaultAccountState", "mint", { accountState }),
  signedBy("freezeAuthority", layout("updateDefaultAccountState", "mint", { accountState })),
  ...onOff("MemoTransfers", "RequiredMemoTransfers"),
  layout("initializeInterestBearingMint initializeInterestBearingConfig", "mint", {
    rateAuthority: addressOrNull,
    rate: i16,
  }),
  signedBy(
    "rateAuthority",
    layout("updateRateInterestBearingMint updateInterestBearingConfigRate", "mint", { newRate: i16 }),
  ),
  ...onOff("CpiGuard", "CpiGuard"),
  ...pointer("TransferHook", "programId"),
  ...CONFIDENTIAL_FEE,
  ...pointer("MetadataPointer", "metadataAddress"),
  ...pointer("GroupPointer", "groupAddress"),
  ...pointer("GroupMemberPointer", "memberAddress"),
  ...CONFIDENTIAL_MINT_BURN,
  layout("confidentialMint", "destination mint"),
  layout("confidentialBurn", "account mint"),
  signedBy("owner", layout("applyConfidentialPendingBurn applyPendingBurn", "mint")),
  layout("initializeScaledUiAmountMint initializeScaledUiAmountConfig", "mint", {
    authority: addressOrNull,
    multiplier: f64Text,
  }),
  signedBy(
    "authority",
    layout("updateMultiplierScaledUiMint updateMultiplier", "mint", {
      newMultiplier: f64Text,
      newMultiplierTimestamp: i64,
    }),
  ),
  layout("initializePausableConfig", "mint", { authority: addressOrNull }),
  signedBy("authority", layout("pause", "mint")),
  signedBy("authority", layout("resume", "mint")),
  ...PERMISSIONED_BURN,
  layout("initializeTokenMetadata", "metadata updateAuthority mint mintAuthority", {
    name: text32,
    symbol: text32,
    uri: text32,
  }),
  layout("updateTokenMetadataField", "metadata updateAuthority", {
    field: (reader) => FIELD_NAMES[reader.u8()] ?? text32(reader),
    value: text32,
  }),
  layout("removeTokenMetadataKey", "metadata updateAuthority", { idempotent: bool, key: text32 }),
  layout("updateTokenMetadataUpdateAuthority updateTokenMetadataAuthority", "metadata updateAuthority", {
    newAuthority: addressOrNull,
  }),
  layout("emitTokenMetadata", "metadata", { start: option(u64), end: option(u64) }, omitNulls),
  layout("initializeTokenGroup", "group mint mintAuthority", {
    updateAuthority: addressOrNull,
    maxSize: readMaxSize,
  }),
  layout("updateTokenGroupMaxSize", "group updateAuthority", { maxSize: readMaxSize }),
  layout("updateTokenGroupUpdateAuthority updateTokenGroupAuthority", "group updateAuthority", {
    newAuthority: addressOrNull,
  }),
  layout("initializeTokenGroupMember", "member memberMint memberMintAuthority group groupUpdateAuthority"),
];

function readMaxSize(reader: ByteReader): Json {
  // The first versions of the interface had four bytes.
  return reader.remaining < 8 ? reader.u32() : exactNumber(reader.u64());
}
