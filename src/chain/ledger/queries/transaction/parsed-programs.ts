/**
 * The programs whose instructions Solana nodes parse, and the names that they give to the accounts of each instruction.
 * Other instructions are answered as their accounts and encoded data.
 */
import type { Instruction } from "./tree.ts";

const LIST = (names: string): readonly string[] => names.split(" ");

const TOKEN_INSTRUCTIONS: Readonly<Record<string, readonly string[]>> = {
  transfer: LIST("source destination authority"),
  transferChecked: LIST("source mint destination authority"),
  transferCheckedWithFee: LIST("source mint destination authority"),
  withdrawWithheldTokensFromAccounts: LIST("mint feeRecipient withdrawWithheldAuthority sourceAccount"),
  mintTo: LIST("mint account mintAuthority"),
  burnChecked: LIST("account mint authority"),
  closeAccount: LIST("account destination owner"),
  syncNative: LIST("account"),
  getAccountDataSize: LIST("mint"),
  initializeImmutableOwner: LIST("account"),
  initializeAccount3: LIST("account mint owner"),
  initializeMint2: LIST("mint mintAuthority"),
};

/** Names of accounts by the name of the program and the type of the instruction. */
const PARSED: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  system: { transfer: LIST("source destination"), createAccount: LIST("source newAccount owner") },
  "spl-token": TOKEN_INSTRUCTIONS,
  "spl-token-2022": TOKEN_INSTRUCTIONS,
  "spl-associated-token-account": {
    create: LIST("source account wallet mint systemProgram tokenProgram"),
    createIdempotent: LIST("source account wallet mint systemProgram tokenProgram"),
  },
  "address-lookup-table": {
    createLookupTable: LIST("lookupTableAccount lookupTableAuthority payerAccount systemProgram"),
    extendLookupTable: LIST("lookupTableAccount lookupTableAuthority payerAccount systemProgram"),
  },
  stake: {
    initialize: LIST("stakeAccount rentSysvar staker"),
    delegate: LIST("stakeAccount voteAccount clockSysvar stakeHistorySysvar stakeConfigAccount stakeAuthority"),
    deactivate: LIST("stakeAccount clockSysvar stakeAuthority"),
    withdraw: LIST("stakeAccount destination clockSysvar stakeHistorySysvar withdrawAuthority"),
    split: LIST("stakeAccount newSplitAccount stakeAuthority"),
    merge: LIST("destination source clockSysvar stakeHistorySysvar stakeAuthority"),
  },
  vote: { towersync: LIST("voteAccount voteAuthority"), withdraw: LIST("voteAccount destination withdrawAuthority") },
  "spl-memo": {},
};

const TREE_CHANGE = LIST("merkleTree authority noop");

/** Names of accounts of other programs, as explorers show them. */
const NAMES: typeof PARSED = {
  ...PARSED,
  bubblegum: {
    createTree: LIST("treeAuthority merkleTree payer treeCreator logWrapper compressionProgram systemProgram"),
    mintV1: LIST("treeAuthority leafOwner leafDelegate merkleTree payer logWrapper compressionProgram systemProgram"),
    transfer: LIST("treeAuthority leafOwner newLeafOwner merkleTree payer logWrapper compressionProgram systemProgram"),
  },
  spl_account_compression: { initEmptyMerkleTree: TREE_CHANGE, append: TREE_CHANGE, replaceLeaf: TREE_CHANGE },
  token_metadata: {
    createMetadataAccountV3: LIST("metadata mint mintAuthority payer"),
    createMasterEditionV3: LIST("metadata mint mintAuthority"),
  },
};

/** Programs that nodes parse, and of which simulated chains have no instructions. */
const FURTHER_PARSED = new Set(["bpf-loader", "bpf-upgradeable-loader", "bpf-loader-v4", "config"]);

/** Returns whether nodes parse an instruction; of a chain, not all instructions of their programs have a parsed form. */
export const isParsed = ({ programName, raw, info }: Instruction): boolean =>
  Object.hasOwn(PARSED, programName)
    ? raw === undefined || info !== undefined
    : raw !== undefined && FURTHER_PARSED.has(programName) && info !== undefined;

/** Returns the accounts of an instruction by the names of Solana's parsers. */
export function namedAccounts({ programName, type, info, accounts }: Instruction): Readonly<Record<string, string>> {
  const names =
    type === "setAuthority" ? authorityNames(String(info?.authorityType)) : (NAMES[programName]?.[type] ?? []);
  return Object.fromEntries(
    accounts.flatMap((account, index) => {
      const name = names[index];
      return name === undefined ? [] : [[name, account] as const];
    }),
  );
}

const authorityNames = (authorityType: string): readonly string[] =>
  LIST(`${/mint|freeze/.test(authorityType) ? "mint" : "account"} authority newAuthority`);
