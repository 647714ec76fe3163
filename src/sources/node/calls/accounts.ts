/** Reads accounts of a node, in as few calls as possible: token accounts, mints with their metadata, and any others. */
import { type Json, type JsonObject, splitIntoBatches } from "../../../base/index.ts";
import { NATIVE_SOL, WRAPPED_SOL } from "../../../catalogue/index.ts";
import {
  type ChainAccount,
  decodeAccount,
  decodeAccounts,
  MAX_BYTE,
  Member,
  type Mint,
  metadataAddress,
  PROGRAM,
  readAccountValues,
  readMintAccount,
  valuesOf,
} from "../../../chain/solana/index.ts";
import type { ReadContext } from "../answer.ts";

type AccountContext = Pick<ReadContext, "node" | "session" | "sending">;

/** Calls a method and returns its result. */
export async function callFor(
  { node, sending }: Pick<ReadContext, "node" | "sending">,
  method: string,
  params: readonly Json[] = [],
): Promise<Member> {
  return new Member(await node.call(method, params, sending));
}

/** Accounts of one `getMultipleAccounts` call. */
const ACCOUNTS_PER_CALL = 100;

const TOKEN_PROGRAMS = [PROGRAM.token, PROGRAM.token2022] as const;

/** Reads accounts, parsed where the node can; undefined for those that do not exist. */
export async function readAccounts(
  { node, sending }: AccountContext,
  addresses: readonly string[],
): Promise<readonly (ChainAccount | undefined)[]> {
  const batches = splitIntoBatches(addresses, ACCOUNTS_PER_CALL);
  const pages = await Promise.all(
    batches.map((batch) => readAccountValues(node, batch, { encoding: "jsonParsed" }, { sending })),
  );
  return pages.flat().map((value, at) => {
    const account = value.optional() && decodeAccount(addresses[at] ?? "", value.value);
    const { data, space } = account ?? {};
    if (data && space !== undefined && data.length !== space) throw value.malformed(`an account of ${space} bytes`);
    return account;
  });
}

/** Reads one account as {@link readAccounts} does. */
export async function readAccount(context: AccountContext, address: string): Promise<ChainAccount | undefined> {
  const [account] = await readAccounts(context, [address]);
  return account;
}

/** Reads an account with its bytes, or with a part of them; undefined where there is none. */
export async function readRawAccount(
  { node, sending }: AccountContext,
  address: string,
  dataSlice?: { readonly offset: number; readonly length: number },
): Promise<ChainAccount | undefined> {
  const options = { encoding: "base64", ...(dataSlice && { dataSlice }) };
  const [value] = await readAccountValues(node, [address], options, { first: "getAccountInfo", sending });
  const account = value?.optional();
  return account && decodeAccount(address, account.value);
}

/** Lists the accounts of a program. */
export async function readProgramAccounts(
  { node, sending }: AccountContext,
  program: string,
  encoding: "base64" | "jsonParsed",
  filters: readonly JsonObject[] = [],
): Promise<readonly ChainAccount[]> {
  const options = { encoding, commitment: node.commitment, ...(filters.length > 0 && { filters }) };
  return decodeAccounts(await node.call("getProgramAccounts", [program, options], sending)).accounts;
}

/**
 * Reads the token accounts of a wallet, of both token programs.
 * @throws ServerError when one of them belongs to another wallet
 */
export async function readTokenAccounts(context: AccountContext, owner: string): Promise<readonly TokenAccountState[]> {
  const { node, sending } = context;
  const options = { encoding: "jsonParsed", commitment: node.commitment };
  const lists = await Promise.all(
    TOKEN_PROGRAMS.map(async (programId) => {
      const result = await node.call("getTokenAccountsByOwner", [owner, { programId }, options], sending);
      const { accounts } = decodeAccounts(result);
      const other = accounts.find((account) => account.owner !== programId);
      if (other) throw new Member(other.owner, `the program of ${other.address}`).malformed("the requested one");
      return accounts;
    }),
  );
  const accounts = lists.flat();
  const decimals = await readMissingDecimals(context, accounts);
  return accounts.map((account) => {
    const state = tokenAccountOf(account, decimals);
    if (!state) throw new Member(account.address, "result.value[].pubkey").malformed("a token account");
    if (state.owner === owner) return state;
    throw new Member(state.owner, `the owner of ${account.address}`).malformed("the requested one");
  });
}

/** Returns the decimals of the tokens of accounts that the node did not parse: their bytes do not have them. */
async function readMissingDecimals(
  context: AccountContext,
  accounts: readonly ChainAccount[],
): Promise<ReadonlyMap<string, number>> {
  const mints = accounts.flatMap(({ parsed }) =>
    parsed?.type === "account" && parsed.info.tokenAmount === undefined ? String(parsed.info.mint) : [],
  );
  const known = mints.length > 0 ? await readMints(context, mints) : [];
  return new Map([...known].map(([mint, state]) => [mint, state.decimals]));
}

/** A token account. */
export interface TokenAccountState {
  readonly address: string;
  readonly mint: string;
  readonly owner: string;
  readonly amount: bigint;
  readonly decimals: number;
  readonly lamports: bigint;
  readonly rentEpoch: bigint;
}

/**
 * Returns the state of a token account; undefined for other accounts, and for those that the node did not parse unless the
 * decimals of their tokens are given.
 */
export function tokenAccountOf(
  { address, parsed, lamports, rentEpoch }: ChainAccount,
  decimalsOf?: ReadonlyMap<string, number>,
): TokenAccountState | undefined {
  if (parsed?.type !== "account") return undefined;
  const info = new Member(parsed.info, "info");
  const [mint, owner] = [info.at("mint").address(), info.at("owner").address()];
  const shown = info.at("tokenAmount").optional();
  const decimals = shown ? shown.at("decimals").count(MAX_BYTE) : decimalsOf?.get(mint);
  if (decimals === undefined) return undefined;
  const amount = (shown ?? info).at("amount").amount();
  return { address, mint, owner, amount, decimals, lamports, rentEpoch };
}

/** Kinds of accounts by the parser and the parsed type; `*` stands for any type. */
const KINDS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  "spl-token": { account: "token_account", mint: "mint" },
  "spl-token-2022": { account: "token_account", mint: "mint" },
  stake: { "*": "stake_account" },
  vote: { "*": "vote_account" },
};

/** Returns the kind of an account as the API names it; `no_account` where none exists. */
export function kindOf(account: ChainAccount | undefined): string {
  if (account === undefined) return "no_account";
  if (account.executable) return "program";
  const kinds = KINDS[account.parsed?.program ?? ""];
  const kind = kinds?.[account.parsed?.type ?? ""] ?? kinds?.["*"];
  return kind ?? (account.owner === PROGRAM.system ? "system_account" : "account");
}

/** Returns a member of a parsed account as an object. */
export const infoOf = (account: ChainAccount | undefined): JsonObject => account?.parsed?.info ?? {};

/** Returns the addresses of a wallet's token accounts, of both token programs; with mints, only those of these tokens. */
export async function listTokenAccounts(
  { node, sending }: AccountContext,
  owner: string,
  mints: readonly string[] = [],
): Promise<readonly string[]> {
  const filters =
    mints.length > 0 ? mints.map((mint) => ({ mint })) : TOKEN_PROGRAMS.map((programId) => ({ programId }));
  // Of the accounts only the addresses are needed.
  const options = { encoding: "base64", dataSlice: { offset: 0, length: 0 }, commitment: node.commitment };
  const lists = filters.map(async (filter) => {
    const result = await node.call("getTokenAccountsByOwner", [owner, filter, options], sending);
    return valuesOf(result).map((row) => {
      const program = row.at("account").at("owner");
      if ("programId" in filter && program.text() !== filter.programId) throw program.malformed(filter.programId);
      return row.at("pubkey").address();
    });
  });
  return (await Promise.all(lists)).flat();
}

/** A mint with its names. */
export interface MintState extends Omit<Mint, "metadata" | "standard"> {
  readonly name: string | undefined;
  readonly symbol: string | undefined;
  readonly uri: string | undefined;
}

export const SOL_DECIMALS = 9;

/** The names of SOL: native SOL is no token, and the wrapped token has no metadata on the chain. */
const NAMES: Readonly<Record<string, Pick<MintState, "name" | "symbol">>> = {
  [NATIVE_SOL]: { name: "SOL", symbol: "SOL" },
  [WRAPPED_SOL]: { name: "Wrapped SOL", symbol: "WSOL" },
};

/** Reads mints with their metadata; those that are no mints are missing in the result. */
export async function readMints(
  context: AccountContext,
  addresses: readonly string[],
): Promise<ReadonlyMap<string, MintState>> {
  const mints = [...new Set(addresses)];
  // Mint and metadata are neighbours, so that one call reads both.
  const accounts = await readAccounts(
    context,
    mints.flatMap((mint) => [mint, metadataAddress(mint)]),
  );
  return new Map(
    mints.flatMap((mint, at) => {
      const state = mintOf(accounts[at * 2], accounts[at * 2 + 1]);
      return state ? [[mint, state] as const] : [];
    }),
  );
}

/** Reads a mint; undefined when the address is no mint. */
export async function readMint(context: AccountContext, address: string): Promise<MintState | undefined> {
  return (await readMints(context, [address])).get(address);
}

function mintOf(account: ChainAccount | undefined, metadata: ChainAccount | undefined): MintState | undefined {
  const mint = readMintAccount(account, metadata);
  return (
    mint && {
      ...mint,
      ...(mint.metadata ?? { name: undefined, symbol: undefined, uri: undefined, ...NAMES[mint.address] }),
    }
  );
}
