/** Collects what the transactions of a block say about accounts, tokens, token accounts, stakes and programs. */
import type {
  AccountFact,
  AccountKind,
  Facts,
  ProgramFact,
  StakeAccountFact,
  TokenAccountFact,
  TokenFact,
} from "../../ledger/index.ts";
import { type ChainTransaction, PROGRAM } from "../../solana/index.ts";
import { type Call, textArgument, withoutBatches } from "./calls.ts";
import type { ChainKnowledge } from "./knowledge.ts";
import { BUILT_IN_PROGRAMS, programFact } from "./programs.ts";
import { stakeChanges } from "./stakes.ts";
import { newToken, tokenChange } from "./tokens.ts";
import type { ReplayedTransaction } from "./transaction.ts";

/** The kind of new accounts by the program that owns them. */
const KINDS: Readonly<Record<string, AccountKind>> = {
  [PROGRAM.system]: "system_account",
  [PROGRAM.stake]: "stake_account",
  [PROGRAM.vote]: "vote_account",
};

/** Collects the facts of a block. A fact that is known already is not repeated. */
export class FactCollector {
  readonly #knowledge: ChainKnowledge;
  readonly #accounts = new Map<string, AccountFact>();
  readonly #programs = new Map<string, ProgramFact>();
  readonly #tokens = new Map<string, TokenFact>();
  readonly #tokenAccounts = new Map<string, TokenAccountFact>();
  readonly #stakes = new Map<string, StakeAccountFact>();

  constructor(knowledge: ChainKnowledge) {
    this.#knowledge = knowledge;
  }

  /** Adds a transaction. */
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
      const fact = programFact(program);
      if (fact) this.#programs.set(program, fact);
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
    const { accounts, programs, tokens, tokenAccounts, stakeAccounts } = this.#knowledge;
    return {
      accounts: [...this.#accounts.values()].filter((fact) => accounts.update(fact)),
      programs: [...this.#programs.values()].filter((fact) => programs.update(fact)),
      tokens: [...this.#tokens.values()].filter((fact) => tokens.update(fact)),
      tokenAccounts: [...this.#tokenAccounts.values()].filter((fact) => tokenAccounts.update(fact)),
      stakeAccounts: [...this.#stakes.values()].filter((fact) => stakeAccounts.update(fact)),
    };
  }
}
