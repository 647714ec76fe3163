/** Instructions in the form of the `jsonParsed` encoding, for the programs that nodes parse. */
import { ADDRESS_LOOKUP_TABLE_PROGRAM_ADDRESS } from "@solana-program/address-lookup-table";
import { MEMO_PROGRAM_ADDRESS } from "@solana-program/memo";
import { STAKE_PROGRAM_ADDRESS } from "@solana-program/stake";
import { SYSTEM_PROGRAM_ADDRESS } from "@solana-program/system";
import { ASSOCIATED_TOKEN_PROGRAM_ADDRESS, TOKEN_PROGRAM_ADDRESS } from "@solana-program/token";
import { TOKEN_2022_PROGRAM_ADDRESS } from "@solana-program/token-2022";
import { ByteReader } from "./byte-reader.ts";
import { VOTE_PROGRAM } from "./parse-vote.ts";
import { decimalText, type Wire, type WireObject } from "./wire.ts";

const MEMO_PROGRAMS: readonly string[] = [
  MEMO_PROGRAM_ADDRESS,
  "MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr",
  "Memo1UhkJRfHyvLMcVucJwxXeuD728EqVDDwQDxFMNo",
];

/** How an instruction is parsed. */
interface Shape {
  readonly type: string;
  /** Names of its accounts in their order; those with `?` may be missing. */
  readonly accounts: readonly string[];
  /** Reads the arguments. */
  readonly data?: (read: ByteReader) => WireObject;
  /** Whether the last account is an authority that can be a multisig, with its signers behind it. */
  readonly signers?: string;
  /** The name of a list of all accounts that follow. */
  readonly rest?: string;
}

const shape = (type: string, accounts: string, data?: Shape["data"], more: Partial<Shape> = {}): Shape => ({
  type,
  accounts: accounts.split(" ").filter(Boolean),
  ...(data && { data }),
  ...more,
});
/** An instruction whose last account is an authority or a multisig. */
const signed = (type: string, accounts: string, authority: string, data?: Shape["data"]) =>
  shape(type, accounts, data, { signers: authority });

/** Text with its length in front: a u64 in native programs, a u32 in Borsh. */
const text = (read: ByteReader, length: "u32" | "u64" = "u64") => read.text(Number(read[length]()));

const SYSTEM: Readonly<Record<number, Shape>> = {
  0: shape("createAccount", "source newAccount", (read) => ({
    lamports: read.u64(),
    space: read.u64(),
    owner: read.key(),
  })),
  1: shape("assign", "account", (read) => ({ owner: read.key() })),
  2: shape("transfer", "source destination", (read) => ({ lamports: read.u64() })),
  3: shape("createAccountWithSeed", "source newAccount", (read) => ({
    base: read.key(),
    seed: text(read),
    lamports: read.u64(),
    space: read.u64(),
    owner: read.key(),
  })),
  4: shape("advanceNonce", "nonceAccount recentBlockhashesSysvar nonceAuthority"),
  5: shape(
    "withdrawFromNonce",
    "nonceAccount destination recentBlockhashesSysvar rentSysvar nonceAuthority",
    (read) => ({ lamports: read.u64() }),
  ),
  6: shape("initializeNonce", "nonceAccount recentBlockhashesSysvar rentSysvar", (read) => ({
    nonceAuthority: read.key(),
  })),
  7: shape("authorizeNonce", "nonceAccount nonceAuthority", (read) => ({ newAuthorized: read.key() })),
  8: shape("allocate", "account", (read) => ({ space: read.u64() })),
  9: shape("allocateWithSeed", "account", (read) => ({
    base: read.key(),
    seed: text(read),
    space: read.u64(),
    owner: read.key(),
  })),
  10: shape("assignWithSeed", "account", (read) => ({ base: read.key(), seed: text(read), owner: read.key() })),
  11: shape("transferWithSeed", "source sourceBase destination", (read) => ({
    lamports: read.u64(),
    sourceSeed: text(read),
    sourceOwner: read.key(),
  })),
  12: shape("upgradeNonce", "nonceAccount"),
};

const AUTHORITY_TYPES = `mintTokens freezeAccount accountOwner closeAccount transferFeeConfig withheldWithdraw closeMint
  interestRate permanentDelegate confidentialTransferMint transferHookProgramId confidentialTransferFeeConfig
  metadataPointer groupPointer groupMemberPointer scaledUiAmount pause permissionedBurn`.split(/\s+/);
/** The authorities of accounts; the others are those of mints. */
const ACCOUNT_AUTHORITIES = ["accountOwner", "closeAccount"];
const EXTENSION_TYPES: Readonly<Record<number, string>> = { 7: "immutableOwner", 2: "transferFeeAmount" };

const amount = (read: ByteReader): WireObject => ({ amount: read.u64().toString() });
const tokenAmount = (read: ByteReader): WireObject => {
  const [value, decimals] = [read.u64(), read.u8()];
  const uiAmountString = decimalText(value, decimals);
  const uiAmount = Number(uiAmountString);
  return { tokenAmount: { amount: value.toString(), decimals, uiAmount, uiAmountString } };
};
const mintData = (read: ByteReader): WireObject => {
  const fields = { decimals: read.u8(), mintAuthority: read.key() };
  const freezeAuthority = read.option(read.key);
  return freezeAuthority === null ? fields : { ...fields, freezeAuthority };
};
/** An address of which zero means none. */
const optionalKey = (read: ByteReader): string | null => {
  const key = read.key();
  return key === SYSTEM_PROGRAM_ADDRESS ? null : key;
};
const withoutNulls = (fields: WireObject): WireObject =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null));

const TOKEN: Readonly<Record<string, Shape>> = {
  0: shape("initializeMint", "mint rentSysvar", mintData),
  1: shape("initializeAccount", "account mint owner rentSysvar"),
  2: shape("initializeMultisig", "multisig rentSysvar", (read) => ({ m: read.u8() }), { rest: "signers" }),
  3: signed("transfer", "source destination", "authority", amount),
  4: signed("approve", "source delegate", "owner", amount),
  5: signed("revoke", "source", "owner"),
  6: signed("setAuthority", "account", "authority", (read) => ({
    authorityType: AUTHORITY_TYPES[read.u8()] ?? "",
    newAuthority: read.option(read.key),
  })),
  7: signed("mintTo", "mint account", "mintAuthority", amount),
  8: signed("burn", "account mint", "authority", amount),
  9: signed("closeAccount", "account destination", "owner"),
  10: signed("freezeAccount", "account mint", "freezeAuthority"),
  11: signed("thawAccount", "account mint", "freezeAuthority"),
  12: signed("transferChecked", "source mint destination", "authority", tokenAmount),
  13: signed("approveChecked", "source mint delegate", "owner", tokenAmount),
  14: signed("mintToChecked", "mint account", "mintAuthority", tokenAmount),
  15: signed("burnChecked", "account mint", "authority", tokenAmount),
  16: shape("initializeAccount2", "account mint rentSysvar", (read) => ({ owner: read.key() })),
  17: shape("syncNative", "account rentSysvar?"),
  18: shape("initializeAccount3", "account mint", (read) => ({ owner: read.key() })),
  19: shape("initializeMultisig2", "multisig", (read) => ({ m: read.u8() }), { rest: "signers" }),
  20: shape("initializeMint2", "mint", mintData),
  21: shape("getAccountDataSize", "mint", (read) => {
    const extensionTypes: string[] = [];
    while (read.remaining >= 2) extensionTypes.push(EXTENSION_TYPES[read.u16()] ?? "");
    return extensionTypes.length > 0 ? { extensionTypes } : {};
  }),
  22: shape("initializeImmutableOwner", "account"),
  23: shape("amountToUiAmount", "mint", amount),
  24: shape("uiAmountToAmount", "mint", (read) => ({ uiAmount: read.text(read.remaining) })),
  25: shape("initializeMintCloseAuthority", "mint", (read) => ({ newAuthority: read.option(read.key) })),
  "26.0": shape("initializeTransferFeeConfig", "mint", (read) => ({
    ...withoutNulls({
      transferFeeConfigAuthority: read.option(read.key),
      withdrawWithheldAuthority: read.option(read.key),
    }),
    transferFeeBasisPoints: read.u16(),
    maximumFee: read.u64(),
  })),
  "26.1": signed("transferCheckedWithFee", "source mint destination", "authority", (read) => {
    const transferred = tokenAmount(read);
    const [fee, { decimals = 0 }] = [read.u64(), transferred.tokenAmount as { decimals?: number }];
    const uiAmountString = decimalText(fee, decimals);
    const feeAmount = { amount: fee.toString(), decimals, uiAmount: Number(uiAmountString), uiAmountString };
    return { ...transferred, feeAmount };
  }),
  "26.2": signed("withdrawWithheldTokensFromMint", "mint feeRecipient", "withdrawWithheldAuthority"),
  "26.3": shape("withdrawWithheldTokensFromAccounts", "mint feeRecipient withdrawWithheldAuthority", undefined, {
    rest: "sourceAccounts",
  }),
  "26.4": shape("harvestWithheldTokensToMint", "mint", undefined, { rest: "sourceAccounts" }),
  "26.5": signed("setTransferFee", "mint", "transferFeeConfigAuthority", (read) => ({
    transferFeeBasisPoints: read.u16(),
    maximumFee: read.u64(),
  })),
  "28.0": shape("initializeDefaultAccountState", "mint", (read) => ({
    accountState: ["uninitialized", "initialized", "frozen"][read.u8()] ?? "",
  })),
  32: shape("initializeNonTransferableMint", "mint"),
  "33.0": shape("initializeInterestBearingConfig", "mint", (read) => ({
    rateAuthority: optionalKey(read),
    rate: read.i16(),
  })),
  35: shape("initializePermanentDelegate", "mint", (read) => ({ delegate: read.key() })),
  "39.0": shape("initializeMetadataPointer", "mint", (read) =>
    withoutNulls({ authority: optionalKey(read), metadataAddress: optionalKey(read) }),
  ),
  "43.0": shape("initializeScaledUiAmountConfig", "mint", (read) => ({
    ...withoutNulls({ authority: optionalKey(read) }),
    multiplier: String(read.f64()),
  })),
};
/** Instructions of Token-2022 with a second number for their kind. */
const WITH_SUBTYPE = new Set([26, 27, 28, 30, 33, 34, 36, 37, 39, 40, 41, 42, 43, 44]);
/** The first eight bytes of `spl_token_metadata_interface:initialize_account`. */
const INITIALIZE_METADATA = "d2e11ea258b84d8d";
const METADATA_SHAPE = shape("initializeTokenMetadata", "metadata updateAuthority mint mintAuthority", (read) => ({
  name: text(read, "u32"),
  symbol: text(read, "u32"),
  uri: text(read, "u32"),
}));

const lockup = (read: ByteReader) => ({ unixTimestamp: read.i64(), epoch: read.u64(), custodian: read.key() });

const STAKE: Readonly<Record<number, Shape>> = {
  0: shape("initialize", "stakeAccount rentSysvar", (read) => ({
    authorized: { staker: read.key(), withdrawer: read.key() },
    lockup: lockup(read),
  })),
  1: shape("authorize", "stakeAccount clockSysvar authority custodian?", (read) => ({
    newAuthority: read.key(),
    authorityType: read.u32() === 0 ? "Staker" : "Withdrawer",
  })),
  2: shape("delegate", "stakeAccount voteAccount clockSysvar stakeHistorySysvar stakeConfigAccount stakeAuthority"),
  3: shape("split", "stakeAccount newSplitAccount stakeAuthority", (read) => ({ lamports: read.u64() })),
  4: shape(
    "withdraw",
    "stakeAccount destination clockSysvar stakeHistorySysvar withdrawAuthority custodian?",
    (read) => ({ lamports: read.u64() }),
  ),
  5: shape("deactivate", "stakeAccount clockSysvar stakeAuthority"),
  7: shape("merge", "destination source clockSysvar stakeHistorySysvar stakeAuthority"),
};

const LOOKUP_TABLE: Readonly<Record<number, Shape>> = {
  0: shape("createLookupTable", "lookupTableAccount lookupTableAuthority payerAccount systemProgram", (read) => ({
    recentSlot: read.u64(),
    bumpSeed: read.u8(),
  })),
  1: shape("freezeLookupTable", "lookupTableAccount lookupTableAuthority"),
  2: shape("extendLookupTable", "lookupTableAccount lookupTableAuthority payerAccount? systemProgram?", (read) => ({
    newAddresses: read.list(read.key),
  })),
  3: shape("deactivateLookupTable", "lookupTableAccount lookupTableAuthority"),
  4: shape("closeLookupTable", "lookupTableAccount lookupTableAuthority recipient"),
};

const NO_ROOT = 18_446_744_073_709_551_615n;

function towerSync(read: ByteReader): WireObject {
  const root = read.u64();
  let slot = root === NO_ROOT ? 0 : Number(root);
  const lockouts = Array.from({ length: read.u8() }, () => {
    slot += read.varint();
    return { slot, confirmation_count: read.u8() };
  });
  const hash = read.key();
  const timestamp = read.option(read.i64);
  return { lockouts, root: root === NO_ROOT ? null : root, hash, timestamp, blockId: read.key() };
}

const VOTE: Readonly<Record<number, Shape>> = {
  0: shape("initialize", "voteAccount rentSysvar clockSysvar node", (read) => {
    const [, authorizedVoter, authorizedWithdrawer] = [read.key(), read.key(), read.key()];
    return {
      authorizedVoter: authorizedVoter ?? "",
      authorizedWithdrawer: authorizedWithdrawer ?? "",
      commission: read.u8(),
    };
  }),
  14: shape("towersync", "voteAccount voteAuthority", (read) => ({ towerSync: towerSync(read) })),
  3: shape("withdraw", "voteAccount destination withdrawAuthority", (read) => ({ lamports: read.u64() })),
};

const CREATE = "source account wallet mint systemProgram tokenProgram";
const ASSOCIATED_TOKEN: Readonly<Record<number, Shape>> = {
  0: shape("create", `${CREATE} rentSysvar?`),
  1: shape("createIdempotent", `${CREATE} rentSysvar?`),
  2: shape("recoverNested", "nestedSource nestedMint destination nestedOwner ownerMint wallet tokenProgram"),
};

/** The programs: their names, and how to find the shape of an instruction. */
const PROGRAMS: Readonly<
  Record<string, { readonly program: string; find(read: ByteReader, data: Uint8Array): Shape | undefined }>
> = {
  [SYSTEM_PROGRAM_ADDRESS]: { program: "system", find: (read) => SYSTEM[read.u32()] },
  [STAKE_PROGRAM_ADDRESS]: { program: "stake", find: (read) => STAKE[read.u32()] },
  [VOTE_PROGRAM]: { program: "vote", find: (read) => VOTE[read.u32()] },
  [ADDRESS_LOOKUP_TABLE_PROGRAM_ADDRESS]: {
    program: "address-lookup-table",
    find: (read) => LOOKUP_TABLE[read.u32()],
  },
  [ASSOCIATED_TOKEN_PROGRAM_ADDRESS]: {
    program: "spl-associated-token-account",
    find: (read) => ASSOCIATED_TOKEN[read.remaining === 0 ? 0 : read.u8()],
  },
  [TOKEN_PROGRAM_ADDRESS]: { program: "spl-token", find: (read) => TOKEN[read.u8()] },
  [TOKEN_2022_PROGRAM_ADDRESS]: { program: "spl-token-2022", find: findToken2022 },
};

function findToken2022(read: ByteReader, data: Uint8Array): Shape | undefined {
  if (Buffer.from(data.subarray(0, 8)).toString("hex") === INITIALIZE_METADATA) {
    read.skip(8);
    return METADATA_SHAPE;
  }
  const kind = read.u8();
  return TOKEN[WITH_SUBTYPE.has(kind) ? `${kind}.${read.u8()}` : kind];
}

/** Returns program name and parsed form of an instruction; undefined when nodes have no parser for it either. */
export function parseInstruction(
  program: string,
  accounts: readonly string[],
  data: Uint8Array,
): WireObject | undefined {
  if (MEMO_PROGRAMS.includes(program)) return { program: "spl-memo", parsed: new TextDecoder().decode(data) };
  const parser = PROGRAMS[program];
  if (parser === undefined) return undefined;
  try {
    const read = new ByteReader(data);
    const layout = parser.find(read, data);
    const named = layout && nameAccounts(layout, accounts);
    if (layout === undefined || named === undefined) return undefined;
    const info = { ...named, ...layout.data?.(read) };
    return { program: parser.program, parsed: { type: layout.type, info: renameOwned(info) } };
  } catch {
    return undefined;
  }
}

/** Returns the accounts by name; undefined when there are too few. */
function nameAccounts({ accounts: names, signers, rest }: Shape, accounts: readonly string[]): WireObject | undefined {
  const required = names.filter((name) => !name.endsWith("?")).length + (signers ? 1 : 0);
  if (accounts.length < required) return undefined;
  const named: Record<string, Wire> = {};
  for (const [index, name] of names.entries()) {
    const key = accounts[index];
    if (key !== undefined) named[name.replace("?", "")] = key;
  }
  const following = accounts.slice(names.length);
  if (rest !== undefined) named[rest] = following;
  if (signers === undefined) return named;
  if (following.length === 1) return { ...named, [signers]: following[0] ?? "" };
  const multisig = `multisig${signers.charAt(0).toUpperCase()}${signers.slice(1)}`;
  return { ...named, [multisig]: following[0] ?? "", signers: following.slice(1) };
}

/** `setAuthority` names its account by what it is, which the type of the authority says. */
function renameOwned(info: WireObject): WireObject {
  const { account, ...others } = info;
  const isMint = typeof info.authorityType === "string" && !ACCOUNT_AUTHORITIES.includes(info.authorityType);
  return isMint && account !== undefined ? { mint: account, ...others } : info;
}

/** Returns the memos of instructions as signature lists show them: `[5] hello`, several separated by semicolons. */
export function memosOf(
  instructions: readonly { readonly program: string; readonly data: Uint8Array }[],
): string | null {
  const memos = instructions.flatMap(({ program, data }) =>
    MEMO_PROGRAMS.includes(program) ? [`[${data.length}] ${new TextDecoder().decode(data)}`] : [],
  );
  return memos.length > 0 ? memos.join("; ") : null;
}
