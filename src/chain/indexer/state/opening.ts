/**
 * The state of the chain before the first block of a ledger, read from the accounts of a node. It may contain the
 * effects of later blocks, as nodes answer about the latest state only: see corrections.ts.
 */
import { isObject, type Json, splitIntoBatches } from "../../../base/index.ts";
import { NATIVE_SOL } from "../../../catalogue/index.ts";
import type { AccountFact, Facts, OpeningBalanceFact, StakeAccountFact, TokenAccountFact } from "../../ledger/index.ts";
import { amountOf, type ChainAccount, isMethodRefused, type NodeConnection, PROGRAM } from "../../solana/index.ts";
import { type AccountStates, type ProgramAccountsOptions, readAccounts, readProgramAccounts } from "./accounts.ts";
import { readTokens } from "./tokens.ts";

/** What to read. Without mints and accounts, everything that the node lists. */
export interface OpeningOptions {
  readonly commitment?: string;
  /** Only these tokens with their holders. */
  readonly mints?: readonly string[] | undefined;
  /** Only these accounts and the token accounts that they own. */
  readonly accounts?: readonly string[] | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** A part of the opening state. */
export interface OpeningPart {
  readonly facts: Facts;
  /** The slot of the state; 0 where an old node does not say it. */
  readonly slot: number;
  /** What the node refused to list, as the end of a sentence: `balances of wallets are known from …`. */
  readonly note?: string;
}

/** Bytes of token accounts that contain everything but extensions, with the byte after them that is their kind. */
const TOKEN_BYTES = 166;
const TOKEN_ACCOUNT_BYTES = 165;
const OWNER_OFFSET = 32;

interface Part {
  readonly program: string;
  readonly options?: ProgramAccountsOptions;
  readonly read: (accounts: readonly ChainAccount[]) => Facts;
  /** What is incomplete when the node refuses. */
  readonly incomplete: string;
}

/**
 * Yields the opening state in parts. What a node refuses to list is a note and no error: large nodes do not list the
 * accounts of the token programs.
 */
export async function* readOpening(node: NodeConnection, options: OpeningOptions = {}): AsyncGenerator<OpeningPart> {
  const { mints = [], accounts = [], commitment = node.commitment, signal } = options;
  const reading = { commitment, signal };
  const foundMints = new Set(mints);
  /** Whether all token accounts of the mints are listed. */
  let isComplete = accounts.length === 0;
  if (accounts.length > 0) {
    const { slot, accounts: states } = await readAccounts(node, accounts, reading);
    yield { facts: accountFacts(states), slot };
  }
  for (const part of partsOf(mints, accounts)) {
    const answer = await readPart(node, part, reading);
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

function partsOf(mints: readonly string[], accounts: readonly string[]): readonly Part[] {
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
      incomplete: "balances of wallets are known from their first transaction on",
    },
  ];
}

async function readPart(
  node: NodeConnection,
  { program, options }: Part,
  reading: ProgramAccountsOptions,
): Promise<AccountStates | undefined> {
  try {
    return await readProgramAccounts(node, program, { ...reading, ...options });
  } catch (error) {
    if (isMethodRefused(error)) return undefined;
    throw error;
  }
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
    openingBalances: accounts.map((account) => lamportsFact(account)),
  };
}

/** Returns the facts of accounts of any kind. */
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
      ...programs.map(
        ({ address, owner, executable }): AccountFact => ({
          ...{ address, kind: executable ? "program" : "account", ownerProgram: owner, executable },
        }),
      ),
    ],
    openingBalances: [...(tokens.openingBalances ?? []), ...others.map((account) => lamportsFact(account))],
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
    const tokens = amountOf(isObject(tokenAmount) ? tokenAmount.amount : amount, "amount");
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
    openingBalances: accounts.map((account) => lamportsFact(account)),
  };
}

/** The epoch of stakes that are not deactivated. */
const NEVER = 2n ** 64n - 1n;

/** Returns the state of a stake account; undefined before it is initialized. */
function stakeFact({ address, parsed }: ChainAccount): StakeAccountFact | undefined {
  const { meta, stake } = parsed?.info ?? {};
  const authorized = isObject(meta) && isObject(meta.authorized) ? meta.authorized : {};
  const delegation = isObject(stake) && isObject(stake.delegation) ? stake.delegation : {};
  const { staker, withdrawer } = authorized;
  const { voter, stake: delegated, activationEpoch, deactivationEpoch } = delegation;
  if (typeof staker !== "string" || typeof withdrawer !== "string") return undefined;
  if (typeof voter !== "string") return { address, staker, withdrawer, delegated: 0n, activationEpoch: 0 };
  const deactivation = amountOf(deactivationEpoch, "deactivationEpoch");
  return {
    ...{ address, staker, withdrawer, voter },
    delegated: amountOf(delegated, "stake"),
    activationEpoch: epochOf(amountOf(activationEpoch, "activationEpoch")),
    ...(deactivation !== NEVER && { deactivationEpoch: Number(deactivation) }),
  };
}

/** Stakes of the genesis are active from the beginning. */
const epochOf = (epoch: bigint): number => (epoch === NEVER ? 0 : Number(epoch));

/** Mints per part: with their metadata they fit into one request, so that their supplies are of the same slot. */
const MINTS_PER_PART = 50;

/** Yields tokens and their supplies. */
async function* readTokenParts(
  node: NodeConnection,
  mints: readonly string[],
  allBalances: boolean,
  reading: ProgramAccountsOptions,
): AsyncGenerator<OpeningPart> {
  for (const batch of splitIntoBatches(mints, MINTS_PER_PART)) {
    const { slot, tokens } = await readTokens(node, batch, reading);
    const openingSupplies = tokens.map(({ token, supply }) => ({
      token: token.address,
      amount: supply,
      ...(allBalances && { allBalances }),
    }));
    yield { facts: { tokens: tokens.map(({ token }) => token), openingSupplies }, slot };
  }
}

/** Yields the supply of SOL. */
async function* readSupply(
  node: NodeConnection,
  { commitment, signal }: ProgramAccountsOptions,
): AsyncGenerator<OpeningPart> {
  try {
    const config = { commitment: commitment ?? node.commitment, excludeNonCirculatingAccountsList: true };
    const result = await node.call("getSupply", [config], { signal, priority: "background", fresh: true });
    const value = isObject(result) && isObject(result.value) ? result.value : {};
    const amount = amountOf(value.total, "result.value.total");
    yield { facts: { openingSupplies: [{ token: NATIVE_SOL, amount }] }, slot: 0 };
  } catch (error) {
    if (!isMethodRefused(error)) throw error;
    yield { facts: {}, slot: 0, note: "the supply of SOL is unknown" };
  }
}
