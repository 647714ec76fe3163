/** Instructions of the system program, of loaders and of other programs that are part of Solana. */
import type { Json } from "../../../base/index.ts";
import { address, bytes64, list64, text64, u8, u32, u64 } from "../values.ts";
import { byU8, byU32, layout, type ProgramLayouts } from "./layout.ts";

/** The system program. */
export const SYSTEM: ProgramLayouts = {
  program: "system",
  select: byU32([
    layout("createAccount", "source newAccount", { lamports: u64, space: u64, owner: address }),
    layout("assign", "account", { owner: address }),
    layout("transfer", "source destination", { lamports: u64 }),
    layout("createAccountWithSeed", "source newAccount", {
      base: address,
      seed: text64,
      lamports: u64,
      space: u64,
      owner: address,
    }),
    layout("advanceNonce", "nonceAccount recentBlockhashesSysvar nonceAuthority"),
    layout("withdrawFromNonce", "nonceAccount destination recentBlockhashesSysvar rentSysvar nonceAuthority", {
      lamports: u64,
    }),
    layout("initializeNonce", "nonceAccount recentBlockhashesSysvar rentSysvar", { nonceAuthority: address }),
    layout("authorizeNonce", "nonceAccount nonceAuthority", { newAuthorized: address }),
    layout("allocate", "account", { space: u64 }),
    layout("allocateWithSeed", "account _base", { base: address, seed: text64, space: u64, owner: address }, dropBase),
    layout("assignWithSeed", "account _base", { base: address, seed: text64, owner: address }, dropBase),
    layout("transferWithSeed", "source sourceBase destination", {
      lamports: u64,
      sourceSeed: text64,
      sourceOwner: address,
    }),
    layout("upgradeNonce", "nonceAccount"),
    layout("createAccountAllowPrefund", "newAccount source?", { lamports: u64, space: u64, owner: address }, (info) => {
      if (info.lamports !== 0) return;
      delete info.lamports;
      delete info.source;
    }),
  ]),
};

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

/** The loader of upgradeable programs. */
export const UPGRADEABLE_LOADER: ProgramLayouts = {
  program: "bpf-upgradeable-loader",
  select: byU32([
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
    layout("migrate", "programDataAccount programAccount authority"),
    layout(
      "extendProgramChecked",
      "programDataAccount programAccount authority systemProgram? payerAccount?",
      { additionalBytes: u32 },
      orNull("systemProgram", "payerAccount"),
    ),
  ]),
};

/** The loaders of programs that cannot be upgraded. */
export const LOADER: ProgramLayouts = {
  program: "bpf-loader",
  select: byU32([layout("write", "account", { offset: u32, bytes: bytes64 }), layout("finalize", "account")]),
};

/** The fourth loader. Nodes do not parse it. */
export const LOADER_V4: ProgramLayouts = {
  program: "loader-v4",
  select: byU32([
    layout("write", "account authority", { offset: u32, bytes: bytes64 }),
    layout("copy", "account authority source", { destinationOffset: u32, sourceOffset: u32, length: u32 }),
    layout("setProgramLength", "account authority recipient?", { newSize: u32 }),
    layout("deploy", "account authority"),
    layout("retract", "account authority"),
    layout("transferAuthority", "account authority newAuthority"),
    layout("finalize", "account authority nextVersion?"),
  ]),
};

/** Address lookup tables. */
export const LOOKUP_TABLE: ProgramLayouts = {
  program: "address-lookup-table",
  select: byU32([
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
  ]),
};

/** Limits and fees of a transaction. Nodes do not parse them; the names are those of the program's instructions. */
export const COMPUTE_BUDGET: ProgramLayouts = {
  program: "ComputeBudget",
  select: byU8([
    layout("requestUnits", "", { units: u32, additionalFee: u32 }),
    layout("requestHeapFrame", "", { bytes: u32 }),
    layout("setComputeUnitLimit", "", { units: u32 }),
    layout("setComputeUnitPrice", "", { microLamports: u64 }),
    layout("setLoadedAccountsDataSizeLimit", "", { accountDataSizeLimit: u32 }),
  ]),
};

/** Returns the layouts of a precompiled program, which checks signatures that are in the data of instructions. */
export const precompile = (program: string): ProgramLayouts => ({
  program,
  select: () => layout("verifySignatures", "", { signatures: u8 }),
});
