/**
 * Instructions of Solana's own programs: system, stake, vote, loaders and others. Those without a table of numbers have
 * no published client: their numbers are by hand.
 */
import type { Json } from "../../../base/index.ts";
import { PROGRAM } from "../../../catalogue/index.ts";
import type { ByteReader } from "../bytes.ts";
import {
  COMPUTE_BUDGET_INSTRUCTIONS,
  LOADER_INSTRUCTIONS,
  LOOKUP_TABLE_INSTRUCTIONS,
  STAKE_INSTRUCTIONS,
  SYSTEM_INSTRUCTIONS,
} from "../program-numbers.ts";
import {
  address,
  bytes64,
  exactNumber,
  i64,
  list64,
  oneOf,
  option,
  readFields,
  struct,
  text64,
  u8,
  u16,
  u32,
  u64,
} from "../values.ts";
import { layout, omitNulls, type ProgramLayouts, selectByNumber } from "./layout.ts";

const SYSTEM = selectByNumber("system", SYSTEM_INSTRUCTIONS, [
  layout("createAccount", "source newAccount", { lamports: u64, space: u64, owner: address }),
  layout("assign", "account", { owner: address }),
  layout("transferSol transfer", "source destination", { lamports: u64 }),
  layout("createAccountWithSeed", "source newAccount", {
    base: address,
    seed: text64,
    lamports: u64,
    space: u64,
    owner: address,
  }),
  layout("advanceNonceAccount advanceNonce", "nonceAccount recentBlockhashesSysvar nonceAuthority"),
  layout(
    "withdrawNonceAccount withdrawFromNonce",
    "nonceAccount destination recentBlockhashesSysvar rentSysvar nonceAuthority",
    {
      lamports: u64,
    },
  ),
  layout("initializeNonceAccount initializeNonce", "nonceAccount recentBlockhashesSysvar rentSysvar", {
    nonceAuthority: address,
  }),
  layout("authorizeNonceAccount authorizeNonce", "nonceAccount nonceAuthority", { newAuthorized: address }),
  layout("allocate", "account", { space: u64 }),
  layout("allocateWithSeed", "account _base", { base: address, seed: text64, space: u64, owner: address }, dropBase),
  layout("assignWithSeed", "account _base", { base: address, seed: text64, owner: address }, dropBase),
  layout("transferSolWithSeed transferWithSeed", "source sourceBase destination", {
    lamports: u64,
    sourceSeed: text64,
    sourceOwner: address,
  }),
  layout("upgradeNonceAccount upgradeNonce", "nonceAccount"),
  layout("createAccountAllowPrefund", "newAccount source?", { lamports: u64, space: u64, owner: address }, (info) => {
    if (info.lamports !== 0) return;
    delete info.lamports;
    delete info.source;
  }),
]);

/** The base is an account, and in the data as well. */
function dropBase(info: Record<string, Json>): void {
  delete info._base;
}

/** Sets missing accounts to null: nodes do not omit those of loaders. */
const orNull =
  (...names: readonly string[]) =>
  (info: Record<string, Json>): void => {
    for (const name of names) info[name] ??= null;
  };

const UPGRADEABLE_LOADER = selectByNumber("bpf-upgradeable-loader", LOADER_INSTRUCTIONS, [
  layout("initializeBuffer", "account authority?"),
  layout("write", "account authority", { offset: u32, bytes: bytes64 }),
  layout(
    "deployWithMaxDataLen",
    "payerAccount programDataAccount programAccount bufferAccount rentSysvar clockSysvar systemProgram authority",
    { maxDataLen: u64 },
  ),
  layout("upgrade", "programDataAccount programAccount bufferAccount spillAccount rentSysvar clockSysvar authority"),
  layout("setAuthority", "account authority newAuthority?", {}, orNull("newAuthority")),
  layout("close", "account recipient authority programAccount?", {}, orNull("programAccount")),
  layout(
    "extendProgram",
    "programDataAccount programAccount systemProgram? payerAccount?",
    { additionalBytes: u32 },
    orNull("systemProgram", "payerAccount"),
  ),
  layout("setAuthorityChecked", "account authority newAuthority"),
  layout("8 migrate", "programDataAccount programAccount authority"),
  layout(
    "9 extendProgramChecked",
    "programDataAccount programAccount authority systemProgram? payerAccount?",
    { additionalBytes: u32 },
    orNull("systemProgram", "payerAccount"),
  ),
]);

/** The loaders of programs that cannot be upgraded. */
const LOADER = selectByNumber("bpf-loader", undefined, [
  layout("write", "account", { offset: u32, bytes: bytes64 }),
  layout("finalize", "account"),
]);

/** The fourth loader. Nodes do not parse it. */
const LOADER_V4 = selectByNumber("loader-v4", undefined, [
  layout("write", "account authority", { offset: u32, bytes: bytes64 }),
  layout("copy", "account authority source", { destinationOffset: u32, sourceOffset: u32, length: u32 }),
  layout("setProgramLength", "account authority recipient?", { newSize: u32 }),
  layout("deploy", "account authority"),
  layout("retract", "account authority"),
  layout("transferAuthority", "account authority newAuthority"),
  layout("finalize", "account authority nextVersion?"),
]);

const LOOKUP_TABLE = selectByNumber("address-lookup-table", LOOKUP_TABLE_INSTRUCTIONS, [
  layout("createLookupTable", "lookupTableAccount lookupTableAuthority payerAccount systemProgram", {
    recentSlot: u64,
    bumpSeed: u8,
  }),
  layout("freezeLookupTable", "lookupTableAccount lookupTableAuthority"),
  layout("extendLookupTable", "lookupTableAccount lookupTableAuthority payerAccount? systemProgram?", {
    newAddresses: list64(address),
  }),
  layout("deactivateLookupTable", "lookupTableAccount lookupTableAuthority"),
  layout("closeLookupTable", "lookupTableAccount lookupTableAuthority recipient"),
]);

/** Limits and fees of a transaction. Nodes do not parse them; the names are those of the program's instructions. */
const COMPUTE_BUDGET = selectByNumber(
  "ComputeBudget",
  COMPUTE_BUDGET_INSTRUCTIONS,
  [
    layout("requestUnits", "", { units: u32, additionalFee: u32 }),
    layout("requestHeapFrame", "", { bytes: u32 }),
    layout("setComputeUnitLimit", "", { units: u32 }),
    layout("setComputeUnitPrice", "", { microLamports: u64 }),
    layout("setLoadedAccountsDataSizeLimit", "", { accountDataSizeLimit: u32 }),
  ],
  (reader) => reader.u8(),
);

/** Precompiled programs check signatures that are in the data of instructions. */
const precompile = (program: string): ProgramLayouts => ({
  program,
  select: () => layout("verifySignatures", "", { signatures: u8 }),
});

const stakeAuthority = oneOf(["Staker", "Withdrawer"]);
const authorized = struct({ staker: address, withdrawer: address });
const lockup = struct({ unixTimestamp: i64, epoch: u64, custodian: address });

/** Members of a lockup that do not change are omitted. */
function omitUnchanged(info: Record<string, Json>): void {
  omitNulls(info.lockup as Record<string, Json>);
}

const STAKE = selectByNumber("stake", STAKE_INSTRUCTIONS, [
  layout("initialize", "stakeAccount ~rentSysvar", { authorized, lockup }),
  layout("authorize", "stakeAccount ~clockSysvar authority custodian?", {
    newAuthority: address,
    authorityType: stakeAuthority,
  }),
  layout(
    "delegateStake delegate",
    "stakeAccount voteAccount ~clockSysvar ~stakeHistorySysvar ~stakeConfigAccount stakeAuthority?",
  ),
  layout("split", "stakeAccount newSplitAccount stakeAuthority?", { lamports: u64 }),
  layout("withdraw", "stakeAccount destination ~clockSysvar ~stakeHistorySysvar withdrawAuthority custodian?", {
    lamports: u64,
  }),
  layout("deactivate", "stakeAccount ~clockSysvar stakeAuthority?"),
  layout(
    "setLockup",
    "stakeAccount custodian",
    { lockup: struct({ unixTimestamp: option(i64), epoch: option(u64), custodian: option(address) }) },
    omitUnchanged,
  ),
  layout("merge", "destination source ~clockSysvar ~stakeHistorySysvar stakeAuthority?"),
  layout("authorizeWithSeed", "stakeAccount authorityBase ~clockSysvar custodian?", {
    newAuthorized: address,
    authorityType: stakeAuthority,
    authoritySeed: text64,
    authorityOwner: address,
  }),
  layout("initializeChecked", "stakeAccount ~rentSysvar staker withdrawer"),
  layout("authorizeChecked", "stakeAccount ~clockSysvar authority newAuthority custodian?", {
    authorityType: stakeAuthority,
  }),
  layout("authorizeCheckedWithSeed", "stakeAccount authorityBase ~clockSysvar newAuthorized custodian?", {
    authorityType: stakeAuthority,
    authoritySeed: text64,
    authorityOwner: address,
  }),
  layout(
    "setLockupChecked",
    "stakeAccount custodian",
    { lockup: struct({ unixTimestamp: option(i64), epoch: option(u64) }) },
    (info, { accounts }) => {
      (info.lockup as Record<string, Json>).custodian = accounts[2] ?? null;
      omitUnchanged(info);
    },
  ),
  layout("getMinimumDelegation", ""),
  layout("deactivateDelinquent", "stakeAccount voteAccount referenceVoteAccount"),
  layout("15 redelegate", "stakeAccount newStakeAccount voteAccount stakeConfigAccount stakeAuthority"),
  layout("moveStake", "source destination stakeAuthority", { lamports: u64 }),
  layout("moveLamports", "source destination stakeAuthority", { lamports: u64 }),
]);

const voteAuthority = oneOf(["Voter", "Withdrawer"]);
const vote = struct({ slots: list64(u64), hash: address, timestamp: option(i64) });
const update = struct({
  lockouts: list64(struct({ slot: u64, confirmation_count: u32 })),
  root: option(u64),
  hash: address,
  timestamp: option(i64),
});

const NO_ROOT = 0xffff_ffff_ffff_ffffn;

/** A tower in the compact form: slots are differences, the first one to the root. */
const tower =
  (end: Readonly<Record<string, typeof address>>) =>
  (reader: ByteReader): Json => {
    const root = reader.u64();
    let slot = root === NO_ROOT ? 0n : root;
    const lockouts = reader.list(reader.compact(), () => {
      slot += reader.varint();
      return { slot: exactNumber(slot), confirmation_count: reader.u8() };
    });
    return { lockouts, root: root === NO_ROOT ? null : exactNumber(root), ...readFields(reader, end) };
  };
const compactUpdate = tower({ hash: address, timestamp: option(i64) });
const towerSync = tower({ hash: address, timestamp: option(i64), blockId: address });

const VOTER = "voteAccount voteAuthority";
const OLD_VOTER = "voteAccount slotHashesSysvar clockSysvar voteAuthority";
const seeds = { authorityType: voteAuthority, authorityOwner: address, authoritySeed: text64 };

const VOTE = selectByNumber("vote", undefined, [
  layout(
    "initialize",
    "voteAccount rentSysvar clockSysvar _node",
    {
      node: address,
      authorizedVoter: address,
      authorizedWithdrawer: address,
      commission: u8,
    },
    useNodeAccount,
  ),
  layout("authorize", "voteAccount clockSysvar authority", { newAuthority: address, authorityType: voteAuthority }),
  layout("vote", OLD_VOTER, { vote }),
  layout("withdraw", "voteAccount destination withdrawAuthority", { lamports: u64 }),
  layout("updateValidatorIdentity", "voteAccount newValidatorIdentity withdrawAuthority"),
  layout("updateCommission", "voteAccount withdrawAuthority", { commission: u8 }),
  layout("voteSwitch", OLD_VOTER, { vote, hash: address }),
  layout("authorizeChecked", "voteAccount clockSysvar authority newAuthority", { authorityType: voteAuthority }),
  layout("updatevotestate", VOTER, { voteStateUpdate: update }),
  layout("updatevotestateswitch", VOTER, { voteStateUpdate: update, hash: address }),
  layout("authorizeWithSeed", "voteAccount clockSysvar authorityBaseKey", { ...seeds, newAuthority: address }),
  layout("authorizeCheckedWithSeed", "voteAccount clockSysvar authorityBaseKey newAuthority", seeds),
  layout("compactupdatevotestate", VOTER, { voteStateUpdate: compactUpdate }),
  layout("compactupdatevotestateswitch", VOTER, { voteStateUpdate: compactUpdate, hash: address }),
  layout("towersync", VOTER, { towerSync }),
  layout("towersyncswitch", VOTER, { towerSync, hash: address }),
  layout(
    "initializeV2",
    "voteAccount _node",
    {
      node: address,
      authorizedVoter: address,
      // A key and a proof of its possession, which the parsed form does not show.
      _key: (reader) => reader.take(48 + 96).length,
      authorizedWithdrawer: address,
      inflationRewardsCommissionBps: u16,
      inflationRewardsCollector: address,
      blockRevenueCommissionBps: u16,
      blockRevenueCollector: address,
    },
    useNodeAccount,
  ),
]);

/** The parsed form names the account, not the copy of its address in the data. */
function useNodeAccount(info: Record<string, Json>): void {
  info.node = info._node as Json;
  delete info._node;
  delete info._key;
}

/** Programs by address. */
export const NATIVE_PROGRAMS: Readonly<Record<string, ProgramLayouts>> = {
  [PROGRAM.system]: SYSTEM,
  [PROGRAM.stake]: STAKE,
  [PROGRAM.vote]: VOTE,
  [PROGRAM.computeBudget]: COMPUTE_BUDGET,
  [PROGRAM.lookupTable]: LOOKUP_TABLE,
  [PROGRAM.upgradeableLoader]: UPGRADEABLE_LOADER,
  [PROGRAM.loaderV1]: LOADER,
  [PROGRAM.loaderV2]: LOADER,
  [PROGRAM.loaderV4]: LOADER_V4,
  [PROGRAM.ed25519]: precompile("ed25519"),
  [PROGRAM.secp256k1]: precompile("secp256k1"),
  [PROGRAM.secp256r1]: precompile("secp256r1"),
};
