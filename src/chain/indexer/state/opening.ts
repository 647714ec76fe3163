/**
 * The state of the chain before the first block of a ledger, read from the accounts of a node. It may contain the
 * effects of later blocks, as nodes answer about the latest state only: see checkpoint.ts.
 */

import { Buffer } from "node:buffer";
import { ignoreFailure, isObject, type Json, splitIntoBatches } from "../../../base/index.ts";
import { NATIVE_SOL } from "../../../catalogue/index.ts";
import type {
  AccountFact,
  Facts,
  NftCollectionFact,
  NftFact,
  OpeningBalanceFact,
  StakeAccountFact,
  TokenAccountFact,
  TokenFact,
} from "../../ledger/index.ts";
import {
  type AccountStates,
  type CallOptions,
  type ChainAccount,
  decodeAccount,
  decodeAccounts,
  decodeBase58,
  decodeMetadata,
  Member,
  metadataAddress,
  PROGRAM,
  readMintAccount,
  slotOf,
  valuesOf,
} from "../../solana/index.ts";
import { newToken } from "../facts/collector.ts";
import type { IndexFilter } from "../filter.ts";
import type { LastingConnection } from "../lasting-connection.ts";

const ACCOUNTS_PER_REQUEST = 100;

/** How accounts are read. */
interface StateOptions {
  readonly commitment?: string;
  readonly signal?: AbortSignal | undefined;
}

const sendingOf = ({ signal }: StateOptions): CallOptions => ({ signal, priority: "background", fresh: true });

async function readAccounts(
  node: LastingConnection,
  addresses: readonly string[],
  options: StateOptions,
): Promise<AccountStates> {
  const { commitment = node.commitment } = options;
  const batches = splitIntoBatches(addresses, ACCOUNTS_PER_REQUEST);
  const states = await Promise.all(
    batches.map((batch) => {
      const call = { method: "getMultipleAccounts", params: [batch, { commitment, encoding: "base64" }] };
      return node.read(
        call,
        (result) => ({ slot: slotOf(result), accounts: knownAccounts(batch, result) }),
        sendingOf(options),
      );
    }),
  );
  return {
    slot: Math.max(0, ...states.map((state) => state.slot)),
    accounts: states.flatMap(({ accounts }) => accounts),
  };
}

/** Returns those of the accounts of addresses that exist. */
const knownAccounts = (addresses: readonly string[], result: Json): readonly ChainAccount[] =>
  valuesOf(result).flatMap((value, at) => {
    const address = addresses[at];
    return address !== undefined && value.optional() ? [decodeAccount(address, value.value)] : [];
  });

interface ProgramAccountsOptions extends StateOptions {
  readonly filters?: readonly Json[];
  /** Number of bytes of the data to read; all by default. */
  readonly bytes?: number;
}

/** Returns the accounts of a program. @throws SolxError when no node lists them */
async function readProgramAccounts(
  node: LastingConnection,
  program: string,
  options: ProgramAccountsOptions,
): Promise<AccountStates> {
  const { commitment = node.commitment, filters = [], bytes } = options;
  const config = {
    commitment,
    encoding: "base64",
    withContext: true,
    ...(filters.length > 0 && { filters }),
    ...(bytes !== undefined && { dataSlice: { offset: 0, length: bytes } }),
  };
  return node.read({ method: "getProgramAccounts", params: [program, config] }, decodeAccounts, sendingOf(options));
}

/** A token with its supply in base units. */
export interface TokenState {
  readonly token: TokenFact;
  readonly supply: bigint;
  /** Of a token of one piece whose metadata says so: that it is an NFT of a collection. */
  readonly nft: NftFact | undefined;
}

/** Returns the tokens of mints and the slot of their state; addresses that are no mints are missing. */
export async function readTokens(
  node: LastingConnection,
  mints: readonly string[],
  options: StateOptions = {},
): Promise<{ readonly slot: number; readonly tokens: readonly TokenState[] }> {
  const metadata = new Map(mints.map((mint) => [mint, metadataAddress(mint)] as const));
  const { slot, accounts } = await readAccounts(node, [...metadata].flat(), options);
  const byAddress = new Map(accounts.map((account) => [account.address, account]));
  const tokens = mints.flatMap(
    (mint) => tokenState(byAddress.get(mint), byAddress.get(metadata.get(mint) ?? "")) ?? [],
  );
  return { slot, tokens };
}

/** Standards of tokens that are unique. */
const UNIQUE = /NonFungible/;

function tokenState(account: ChainAccount | undefined, metadata: ChainAccount | undefined): TokenState | undefined {
  const mint = readMintAccount(account, metadata);
  if (!mint) return undefined;
  const { name, symbol, uri } = mint.metadata ?? {};
  return {
    supply: mint.supply,
    nft: mint.supply === 1n && mint.decimals === 0 ? nftFact(metadata) : undefined,
    token: {
      ...newToken(mint.address),
      kind: UNIQUE.test(mint.standard ?? "") ? "nft" : "fungible",
      ...(name !== undefined && { name }),
      ...(symbol !== undefined && { symbol }),
      ...(uri !== undefined && { metadataUri: uri }),
      decimals: mint.decimals,
      program: mint.program,
      mintAuthority: mint.mintAuthority,
      freezeAuthority: mint.freezeAuthority,
      ...(mint.metadata && { metadata: { name, symbol, uri } }),
      ...(mint.extensions && mint.extensions.length > 0 && { extensions: mint.extensions }),
    },
  };
}

/** Returns what the metadata says about an NFT of a collection, which has verified that. */
function nftFact(account: ChainAccount | undefined): NftFact | undefined {
  const metadata = account?.data && decodeMetadata(account.data);
  if (!metadata?.collection?.verified) return undefined;
  const { mint, name, symbol, uri, sellerFeeBasisPoints, creators, collection } = metadata;
  const number = /#(\d{1,9})$/.exec(name)?.[1];
  return {
    ...{ address: mint, collection: collection.address, number: Number(number ?? 0) },
    data: { name, symbol, uri, sellerFeeBasisPoints, creators, ...(number !== undefined && { id: Number(number) }) },
  };
}

/** Returns the collections of NFTs: of a chain, their identifiers are the digits of their addresses. */
export const collectionsOf = (nfts: readonly NftFact[]): readonly NftCollectionFact[] =>
  [...new Set(nfts.map(({ collection }) => collection))].map((address) => ({
    ...{ address, hex: Buffer.from(decodeBase58(address)).toString("hex"), name: "", symbol: "" },
  }));

/** What to read. Without mints and accounts, everything that the node lists. */
type OpeningOptions = StateOptions & Pick<IndexFilter, "mints" | "accounts">;

interface OpeningPart {
  readonly facts: Facts;
  /** The slot of the state; 0 where an old node does not say it. */
  readonly slot: number;
  /** What no node returned, as the end of a sentence: `balances of wallets are known from …`. */
  readonly note?: string;
}

/** Bytes of token accounts that contain everything but extensions, with the byte after them that is their kind. */
const TOKEN_BYTES = 166;
const TOKEN_ACCOUNT_BYTES = 165;
const OWNER_OFFSET = 32;

const UNKNOWN_BALANCES = "balances of wallets are known from their first transaction on";

interface Part {
  readonly program: string;
  readonly options?: ProgramAccountsOptions;
  readonly read: (accounts: readonly ChainAccount[]) => Facts;
  /** What is incomplete when no node lists the accounts. */
  readonly incomplete: string;
}

/**
 * Yields the opening state in parts. What no node returns is a note and no error: large nodes do not list the accounts of
 * the token programs.
 */
export async function* readOpening(node: LastingConnection, options: OpeningOptions = {}): AsyncGenerator<OpeningPart> {
  const { mints = [], accounts = [], commitment = node.commitment, signal } = options;
  const reading = { commitment, signal };
  const foundMints = new Set(mints);
  /** Whether all token accounts of the mints are listed. */
  let isComplete = accounts.length === 0;
  if (accounts.length > 0) {
    const state = await readAccounts(node, accounts, reading).catch(ignoreFailure);
    if (state) yield { facts: accountFacts(state.accounts), slot: state.slot };
    else yield { facts: {}, slot: 0, note: UNKNOWN_BALANCES };
  }
  for (const part of splitOpening(mints, accounts)) {
    const answer = await readProgramAccounts(node, part.program, { ...reading, ...part.options }).catch(ignoreFailure);
    if (answer) {
      for (const mint of mintsOf(answer.accounts)) foundMints.add(mint);
      yield { facts: part.read(answer.accounts), slot: answer.slot };
    } else {
      isComplete &&= part.program !== PROGRAM.token && part.program !== PROGRAM.token2022;
      yield { facts: {}, slot: 0, note: part.incomplete };
    }
  }
  yield* readTokenParts(node, [...foundMints], isComplete, reading);
  if (mints.length + accounts.length === 0) yield* readSupply(node, reading);
}

/** Returns the mints among accounts and those that they have tokens of. */
const mintsOf = (accounts: readonly ChainAccount[]): readonly string[] =>
  accounts.flatMap(({ address, parsed }) => {
    if (parsed?.type === "mint") return [address];
    const mint = parsed?.type === "account" ? parsed.info.mint : undefined;
    return typeof mint === "string" ? [mint] : [];
  });

function splitOpening(mints: readonly string[], accounts: readonly string[]): readonly Part[] {
  const tokens = [PROGRAM.token, PROGRAM.token2022];
  const incomplete = "holders and supplies are known only as far as transactions show them";
  const tokenPart = (program: string, filters: readonly Json[]): Part => ({
    program,
    options: { bytes: TOKEN_BYTES, filters },
    read: tokenAccountFacts,
    incomplete,
  });
  const mintFilter = (mint: string): Json => ({ memcmp: { offset: 0, bytes: mint } });
  const ownerFilter = (owner: string): Json => ({ memcmp: { offset: OWNER_OFFSET, bytes: owner } });
  // Accounts of Token-2022 have any size.
  const size = (program: string): readonly Json[] =>
    program === PROGRAM.token ? [{ dataSize: TOKEN_ACCOUNT_BYTES }] : [];
  if (mints.length > 0 || accounts.length > 0) {
    const filters = [...mints.map(mintFilter), ...accounts.map(ownerFilter)];
    return filters.flatMap((filter) => tokens.map((program) => tokenPart(program, [filter, ...size(program)])));
  }
  return [
    ...tokens.map((program) => tokenPart(program, [])),
    {
      program: PROGRAM.stake,
      read: stakeFacts,
      incomplete: "stakes are known only as far as transactions show them",
    },
    {
      program: PROGRAM.system,
      options: { bytes: 0 },
      read: walletFacts,
      incomplete: UNKNOWN_BALANCES,
    },
  ];
}

const lamportsFact = ({ address, lamports }: ChainAccount): OpeningBalanceFact => ({
  account: address,
  owner: address,
  token: NATIVE_SOL,
  amount: lamports,
});

function walletFacts(accounts: readonly ChainAccount[]): Facts {
  return {
    accounts: accounts.map(({ address, owner }) => ({ address, kind: "system_account", ownerProgram: owner })),
    openingBalances: accounts.map(lamportsFact),
  };
}

function accountFacts(list: readonly ChainAccount[]): Facts {
  const tokens = tokenAccountFacts(list.filter(({ parsed }) => parsed?.type === "account"));
  const others = list.filter(({ parsed }) => parsed?.type !== "account");
  const wallets = walletFacts(others.filter(({ owner }) => owner === PROGRAM.system));
  const programs = others.filter(({ owner }) => owner !== PROGRAM.system);
  return {
    ...tokens,
    accounts: [
      ...(tokens.accounts ?? []),
      ...(wallets.accounts ?? []),
      ...programs.map(({ address, owner, executable }): AccountFact => {
        const kind = executable ? "program" : "account";
        return { address, kind, ownerProgram: owner, executable };
      }),
    ],
    openingBalances: [...(tokens.openingBalances ?? []), ...others.map(lamportsFact)],
  };
}

function tokenAccountFacts(accounts: readonly ChainAccount[]): Facts {
  const facts: AccountFact[] = [];
  const tokenAccounts: TokenAccountFact[] = [];
  const openingBalances: OpeningBalanceFact[] = [];
  for (const account of accounts) {
    const { address, owner: program, parsed } = account;
    const { mint, owner, amount, tokenAmount } = parsed?.info ?? {};
    if (parsed?.type === "mint") {
      facts.push({ address, kind: "mint", ownerProgram: program });
      openingBalances.push(lamportsFact(account));
    }
    if (parsed?.type !== "account" || typeof mint !== "string" || typeof owner !== "string") continue;
    const tokens = new Member(isObject(tokenAmount) ? tokenAmount.amount : amount, "amount").amount();
    facts.push({ address, kind: "token_account", ownerProgram: program });
    tokenAccounts.push({ address, token: mint, owner });
    openingBalances.push({ account: address, owner, token: mint, amount: tokens });
    openingBalances.push(lamportsFact(account));
  }
  return { accounts: facts, tokenAccounts, openingBalances };
}

function stakeFacts(accounts: readonly ChainAccount[]): Facts {
  return {
    accounts: accounts.map(({ address, owner }) => ({ address, kind: "stake_account", ownerProgram: owner })),
    stakeAccounts: accounts.flatMap((account) => stakeFact(account) ?? []),
    openingBalances: accounts.map(lamportsFact),
  };
}

/** The epoch of stakes that are not deactivated. */
const NEVER = 2n ** 64n - 1n;

/** Returns the state of a stake account; undefined before it is initialized. */
function stakeFact({ address, parsed }: ChainAccount): StakeAccountFact | undefined {
  const { meta, stake } = parsed?.info ?? {};
  const authorized = isObject(meta) && isObject(meta.authorized) ? meta.authorized : {};
  const { staker, withdrawer } = authorized;
  if (typeof staker !== "string" || typeof withdrawer !== "string") return undefined;
  const delegation = isObject(stake) ? new Member(stake, "stake").at("delegation").optional() : undefined;
  if (!delegation) return { address, staker, withdrawer, delegated: 0n, activationEpoch: 0 };
  const deactivation = delegation.at("deactivationEpoch").amount();
  return {
    ...{ address, staker, withdrawer, voter: delegation.at("voter").address() },
    delegated: delegation.at("stake").amount(),
    activationEpoch: epochOf(delegation.at("activationEpoch").amount()),
    ...(deactivation !== NEVER && { deactivationEpoch: Number(deactivation) }),
  };
}

/** Stakes of the genesis are active from the beginning. */
const epochOf = (epoch: bigint): number => (epoch === NEVER ? 0 : Number(epoch));

/** Mints per part: with their metadata they fit into one request, so that their supplies are of the same slot. */
const MINTS_PER_PART = 50;

async function* readTokenParts(
  node: LastingConnection,
  mints: readonly string[],
  allBalances: boolean,
  reading: ProgramAccountsOptions,
): AsyncGenerator<OpeningPart> {
  for (const batch of splitIntoBatches(mints, MINTS_PER_PART)) {
    const state = await readTokens(node, batch, reading).catch(ignoreFailure);
    if (!state) {
      yield {
        facts: {},
        slot: 0,
        note: "names and supplies of tokens are known only as far as transactions show them",
      };
      return;
    }
    const { slot, tokens } = state;
    const openingSupplies = tokens.map(({ token, supply }) => ({
      token: token.address,
      amount: supply,
      ...(allBalances && { allBalances }),
    }));
    const nfts = tokens.flatMap(({ nft }) => nft ?? []);
    const facts = {
      tokens: tokens.map(({ token }) => token),
      openingSupplies,
      nfts,
      nftCollections: collectionsOf(nfts),
    };
    yield { facts, slot };
  }
}

async function* readSupply(
  node: LastingConnection,
  { commitment, signal }: ProgramAccountsOptions,
): AsyncGenerator<OpeningPart> {
  const config = { commitment: commitment ?? node.commitment, excludeNonCirculatingAccountsList: true };
  const toAmount = (result: Json) => new Member(result).at("value").at("total").lamports();
  const amount = await node
    .read({ method: "getSupply", params: [config] }, toAmount, sendingOf({ signal }))
    .catch(ignoreFailure);
  if (amount === undefined) yield { facts: {}, slot: 0, note: "the supply of SOL is unknown" };
  else yield { facts: { openingSupplies: [{ token: NATIVE_SOL, amount }] }, slot: 0 };
}
