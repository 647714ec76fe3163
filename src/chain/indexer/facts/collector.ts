/** Collects what the transactions of a block say about accounts, tokens, token accounts, stakes and programs. */
import { isObject } from "../../../base/index.ts";
import { NATIVE_SOL, WRAPPED_SOL, wellKnownToken } from "../../../catalogue/index.ts";
import type {
  AccountFact,
  AccountKind,
  Facts,
  PoolFact,
  ProgramFact,
  StakeAccountFact,
  TokenAccountFact,
  TokenFact,
} from "../../ledger/index.ts";
import {
  type ChainTransaction,
  type Exchanges,
  type LiquidityChange,
  PROGRAM,
  programName,
} from "../../solana/index.ts";
import type { RunningBalances } from "./balances.ts";
import { type Call, integerArgument, textArgument, withoutBatches } from "./calls.ts";
import type { ChainKnowledge } from "./knowledge.ts";
import type { ReplayedTransaction } from "./transaction.ts";

interface TokenContext {
  readonly signature: string;
  /** The account that pays the fee. */
  readonly payer: string;
  readonly known: (mint: string) => TokenFact | undefined;
}

/** Fields that change; undefined removes one. */
type TokenFields = { readonly [Name in keyof TokenFact]?: TokenFact[Name] | undefined };
type TokenChange = (call: Call, context: TokenContext, token: TokenFact) => TokenFields | undefined;

/** Native SOL as a token, which has no metadata on most clusters. */
const KNOWN: Readonly<Record<string, Partial<TokenFact>>> = { [WRAPPED_SOL]: { name: "Wrapped SOL", symbol: "SOL" } };

/** Returns what is known about a token before anything else: its address. */
export const newToken = (mint: string): TokenFact => ({ address: mint, kind: "fungible", ...KNOWN[mint] });

const initializeMint: TokenChange = ({ info, instruction }, { signature, payer }) => ({
  decimals: Number(integerArgument(info, "decimals") ?? 0n),
  program: instruction.program,
  creator: payer,
  created: signature,
  mintAuthority: textArgument(info, "mintAuthority") ?? null,
  freezeAuthority: textArgument(info, "freezeAuthority") ?? null,
});

const firstMint: TokenChange = (_, { signature }, { created, firstMint: known }) =>
  created !== undefined && known === undefined ? { firstMint: signature } : undefined;

const AUTHORITIES: Readonly<Record<string, "mintAuthority" | "freezeAuthority">> = {
  mintTokens: "mintAuthority",
  freezeAccount: "freezeAuthority",
};

const setAuthority: TokenChange = ({ info }) => {
  const field = AUTHORITIES[textArgument(info, "authorityType") ?? ""];
  return field && { [field]: textArgument(info, "newAuthority") ?? null };
};

const describe: TokenChange = ({ info }) => ({
  name: cleanText(textArgument(info, "name")),
  symbol: cleanText(textArgument(info, "symbol")),
  metadataUri: cleanText(textArgument(info, "uri")),
});

/** Names are padded with zero bytes. */
const cleanText = (text: string | undefined): string | undefined => text?.replace(/\0+$/, "").trim() || undefined;

/** A master edition makes a token unique. */
const makeUnique: TokenChange = () => ({ kind: "nft" });

const TOKEN_CHANGES: Readonly<Record<string, TokenChange>> = {
  initializeMint,
  initializeMint2: initializeMint,
  mintTo: firstMint,
  mintToChecked: firstMint,
  setAuthority,
  initializeTokenMetadata: describe,
};

/** What instructions say about tokens, by the name of the program and the type. */
const TOKEN_PROGRAM_CHANGES: Readonly<Record<string, Readonly<Record<string, TokenChange>>>> = {
  "spl-token": TOKEN_CHANGES,
  "spl-token-2022": TOKEN_CHANGES,
  token_metadata: {
    createMetadataAccount: describe,
    createMetadataAccountV2: describe,
    createMetadataAccountV3: describe,
    createMasterEdition: makeUnique,
    createMasterEditionV3: makeUnique,
  },
};

function tokenChange(call: Call, context: TokenContext): TokenFact | undefined {
  const changes = TOKEN_PROGRAM_CHANGES[call.program ?? ""];
  const change = changes && Object.hasOwn(changes, call.type ?? "") ? changes[call.type ?? ""] : undefined;
  const mint = textArgument(call.info, "mint");
  if (!change || mint === undefined) return undefined;
  const token = context.known(mint) ?? newToken(mint);
  const fields = change(call, context, token);
  if (!fields) return undefined;
  const entries = Object.entries({ ...token, ...fields }).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as unknown as TokenFact;
}

interface StakeContext {
  readonly epoch: number;
  /** The balances after the transaction. */
  readonly balances: RunningBalances;
  readonly known: (address: string) => StakeAccountFact | undefined;
}

/** Lamports that a stake account holds for its rent. */
const RENT = 2_282_880n;

type StakeChange = (call: Call, context: StakeContext) => readonly StakeAccountFact[];

const initialize: StakeChange = ({ info }, { epoch }) => {
  const address = textArgument(info, "stakeAccount");
  const authorized = isObject(info.authorized) ? info.authorized : info;
  const [staker, withdrawer] = [textArgument(authorized, "staker"), textArgument(authorized, "withdrawer")];
  if (address === undefined || staker === undefined || withdrawer === undefined) return [];
  return [{ address, staker, withdrawer, delegated: 0n, activationEpoch: epoch }];
};

/** Returns a change of the stake account that an instruction is about. */
const changing =
  (change: (stake: StakeAccountFact, call: Call, context: StakeContext) => StakeAccountFact): StakeChange =>
  (call, context) => {
    const stake = context.known(textArgument(call.info, "stakeAccount") ?? "");
    return stake ? [change(stake, call, context)] : [];
  };

const delegate = changing(({ deactivationEpoch: _, ...stake }, { info }, { epoch, balances }) => {
  const voter = textArgument(info, "voteAccount");
  const delegated = balances.lamports(stake.address) - RENT;
  return { ...stake, ...(voter !== undefined && { voter }), delegated, activationEpoch: epoch };
});

const authorize = changing((stake, { info }) => {
  const authority = textArgument(info, "newAuthority", "newAuthorized");
  if (authority === undefined) return stake;
  const role = textArgument(info, "authorityType") === "Staker" ? "staker" : "withdrawer";
  return { ...stake, [role]: authority };
});

const split: StakeChange = ({ info }, { known }) => {
  const stake = known(textArgument(info, "stakeAccount") ?? "");
  const [address, lamports] = [textArgument(info, "newSplitAccount"), integerArgument(info, "lamports")];
  if (!stake || address === undefined || lamports === undefined) return [];
  const moved = lamports < stake.delegated ? lamports : stake.delegated;
  return [
    { ...stake, delegated: stake.delegated - moved },
    { ...stake, address, delegated: moved },
  ];
};

const merge: StakeChange = ({ info }, { known }) => {
  const [source, target] = ["source", "destination"].map((name) => known(textArgument(info, name) ?? ""));
  if (!source || !target) return [];
  return [
    { ...source, delegated: 0n },
    { ...target, delegated: target.delegated + source.delegated },
  ];
};

const STAKE_CHANGES: Readonly<Record<string, StakeChange>> = {
  initialize,
  initializeChecked: initialize,
  delegate,
  authorize,
  authorizeChecked: authorize,
  authorizeWithSeed: authorize,
  authorizeCheckedWithSeed: authorize,
  deactivate: changing((stake, _, { epoch }) => ({ ...stake, deactivationEpoch: epoch })),
  split,
  merge,
};

function stakeChanges(call: Call, context: StakeContext): readonly StakeAccountFact[] {
  if (call.program !== "stake" || !Object.hasOwn(STAKE_CHANGES, call.type ?? "")) return [];
  return STAKE_CHANGES[call.type ?? ""]?.(call, context) ?? [];
}

/** Programs that are part of the runtime: the native loader owns them. */
const BUILT_IN_PROGRAMS: ReadonlySet<string> = new Set([
  PROGRAM.system,
  PROGRAM.vote,
  PROGRAM.computeBudget,
  PROGRAM.upgradeableLoader,
  PROGRAM.loaderV1,
  PROGRAM.loaderV2,
  PROGRAM.loaderV4,
  PROGRAM.zkElGamalProof,
  PROGRAM.ed25519,
  PROGRAM.secp256k1,
  PROGRAM.secp256r1,
]);

/** The kind of new accounts by the program that owns them. */
const KINDS: Readonly<Record<string, AccountKind>> = {
  [PROGRAM.system]: "system_account",
  [PROGRAM.stake]: "stake_account",
  [PROGRAM.vote]: "vote_account",
};

/** The tokens that others are priced in, in this order: the second one of their pools. */
const QUOTES = [NATIVE_SOL, WRAPPED_SOL, ...["USDC", "USDT"].map((symbol) => wellKnownToken(symbol)?.mint)];

/** Orders the sides of a pool: they are the same whatever was traded first. */
const compareLegs = ({ mint: a }: Leg, { mint: b }: Leg): number =>
  QUOTES.indexOf(a) - QUOTES.indexOf(b) || (a < b ? -1 : 1);

type Leg = LiquidityChange["legs"][number];

const titleOf = (id: string): string => id.charAt(0).toUpperCase() + id.slice(1);

/** Collects the facts of a block. A fact that is known already is not repeated. */
export class FactCollector {
  readonly #knowledge: ChainKnowledge;
  readonly #accounts = new Map<string, AccountFact>();
  readonly #programs = new Map<string, ProgramFact>();
  readonly #tokens = new Map<string, TokenFact>();
  readonly #tokenAccounts = new Map<string, TokenAccountFact>();
  readonly #stakes = new Map<string, StakeAccountFact>();
  readonly #pools = new Map<string, PoolFact>();
  readonly #platformOf: (program: string) => string | undefined;

  /** @param platformOf returns the platform of an exchange's program */
  constructor(knowledge: ChainKnowledge, platformOf: (program: string) => string | undefined = () => undefined) {
    this.#knowledge = knowledge;
    this.#platformOf = platformOf;
  }

  /** Adds the pools that were traded with, or whose liquidity was changed. */
  addPools({ swaps, liquidity }: Exchanges): void {
    for (const swap of swaps) {
      if (swap.kind === "swap") this.#addPool(swap.pool, swap.program, [swap.in, swap.out]);
      else this.addPools({ swaps: swap.hops, liquidity: [] });
    }
    for (const { pool, program, legs } of liquidity) this.#addPool(pool, program, legs);
  }

  #addPool(address: string, program: string, legs: readonly Leg[]): void {
    const [one, other] = legs.toSorted(compareLegs);
    // A deposit of one token does not show the other one.
    if (!one || !other || one.mint === other.mint) return;
    const [vault1, vault2] = [one.vault ?? address, other.vault ?? address];
    this.#pools.set(address, { address, program, token1: one.mint, token2: other.mint, vault1, vault2 });
  }

  add(transaction: ChainTransaction, { calls, balances, fact }: ReplayedTransaction, epoch: number): void {
    const payer = transaction.keys[0]?.address;
    if (payer !== undefined) this.#account(payer, "system_account", PROGRAM.system);
    this.#addPrograms(transaction);
    if (transaction.error === undefined) this.#addCalls(calls, fact.signature, payer ?? "", epoch, balances);
    this.#addTokenAccounts(transaction, balances);
  }

  #addPrograms({ instructions }: ChainTransaction): void {
    for (const { program } of instructions) {
      if (this.#accounts.get(program)?.kind === "program") continue;
      const name = programName(program);
      const platform = this.#platformOf(program);
      if (name !== undefined || platform !== undefined) {
        this.#programs.set(program, { address: program, name: name ?? platform ?? "", ...(platform && { platform }) });
      }
      const loader = BUILT_IN_PROGRAMS.has(program) ? { ownerProgram: PROGRAM.nativeLoader } : {};
      this.#set({ address: program, kind: "program", executable: true, ...loader });
    }
  }

  #addCalls(
    calls: readonly Call[],
    signature: string,
    payer: string,
    epoch: number,
    balances: ReplayedTransaction["balances"],
  ): void {
    const known = (mint: string) => this.#tokens.get(mint) ?? this.#knowledge.tokens.get(mint);
    const stake = (address: string) => this.#stakes.get(address) ?? this.#knowledge.stakeAccounts.get(address);
    for (const call of withoutBatches(calls)) {
      const token = tokenChange(call, { signature, payer, known });
      if (token) {
        this.#tokens.set(token.address, token);
        this.#account(token.address, "mint", token.program);
      }
      for (const fact of stakeChanges(call, { epoch, balances, known: stake })) {
        this.#stakes.set(fact.address, fact);
        this.#account(fact.address, "stake_account", PROGRAM.stake);
      }
      this.#addAccount(call);
    }
  }

  /** Adds the account that an instruction of the System Program creates or assigns. */
  #addAccount({ program, info }: Call): void {
    const [address, owner] = [textArgument(info, "newAccount", "account"), textArgument(info, "owner")];
    if (program !== "system" || address === undefined || owner === undefined) return;
    this.#account(address, KINDS[owner] ?? "account", owner);
  }

  #addTokenAccounts({ tokenBalances, error }: ChainTransaction, balances: ReplayedTransaction["balances"]): void {
    for (const { account, mint, decimals, program, ownerBefore, owner = ownerBefore, existsAfter } of tokenBalances) {
      const known = this.#tokens.get(mint) ?? this.#knowledge.tokens.get(mint) ?? newToken(mint);
      const token = { ...known, decimals, ...(program !== undefined && { program }) };
      this.#tokens.set(mint, token);
      this.#account(mint, "mint", token.program);
      this.#account(account, "token_account", token.program);
      if (owner === undefined) continue;
      this.#tokenAccounts.set(account, { address: account, token: mint, owner, ...(!existsAfter && { closed: true }) });
    }
    if (error !== undefined) return;
    const reported = new Set(tokenBalances.map(({ account }) => account));
    for (const [address, { mint, owner, open }] of balances.tokenAccounts) {
      if (owner === undefined || reported.has(address)) continue;
      this.#tokenAccounts.set(address, { address, token: mint, owner, ...(!open && { closed: true }) });
      this.#account(address, "token_account", this.#tokens.get(mint)?.program);
    }
  }

  #account(address: string, kind: AccountKind, ownerProgram: string | undefined): void {
    this.#set({ address, kind, ...(ownerProgram !== undefined && { ownerProgram }) });
  }

  /** Sets what is known about an account, with what was known about it before as an account of the same kind. */
  #set(fact: AccountFact): void {
    const known = this.#accounts.get(fact.address) ?? this.#knowledge.accounts.get(fact.address);
    this.#accounts.set(fact.address, known?.kind === fact.kind ? { ...known, ...fact } : fact);
  }

  /** Returns the facts that were not known, and adds them to what is known. */
  toFacts(): Facts {
    const { accounts, programs, tokens, tokenAccounts, stakeAccounts, pools } = this.#knowledge;
    const newPrograms = [...this.#programs.values()].filter((fact) => programs.update(fact));
    const platforms = new Set(newPrograms.flatMap(({ platform }) => platform ?? []));
    return {
      accounts: [...this.#accounts.values()].filter((fact) => accounts.update(fact)),
      programs: newPrograms,
      platforms: [...platforms].map((id) => ({ id, name: titleOf(id), website: "", description: "" })),
      pools: [...this.#pools.values()].filter((fact) => pools.update(fact)),
      tokens: [...this.#tokens.values()].filter((fact) => tokens.update(fact)),
      tokenAccounts: [...this.#tokenAccounts.values()].filter((fact) => tokenAccounts.update(fact)),
      stakeAccounts: [...this.#stakes.values()].filter((fact) => stakeAccounts.update(fact)),
    };
  }
}
