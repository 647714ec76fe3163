/**
 * What is known about accounts before a transaction. A transaction does not describe everything that its facts need: the
 * mint and owner of a token account that an old node omits, the name of a token, the state of a stake account. Facts
 * that are known are not repeated.
 */
import type {
  AccountFact,
  PoolFact,
  ProgramFact,
  StakeAccountFact,
  TokenAccountFact,
  TokenFact,
} from "../../ledger/index.ts";

/** Where facts are read that are not in memory: a ledger. */
interface KnownFacts {
  readonly account?: (address: string) => AccountFact | undefined;
  readonly tokenAccount?: (address: string) => TokenAccountFact | undefined;
  readonly token?: (mint: string) => TokenFact | undefined;
  readonly stakeAccount?: (address: string) => StakeAccountFact | undefined;
}

/** Maximum number of facts in memory, in each of two generations. */
const MAX_FACTS = 20_000;

/**
 * Facts of one kind by address. A fact that is found in the older generation moves to the younger one, which becomes
 * the older one when it is full.
 */
class FactMap<Fact extends { readonly address: string }> {
  readonly #read: (address: string) => Fact | undefined;
  #young = new Map<string, Fact>();
  #old = new Map<string, Fact>();

  constructor(read: (address: string) => Fact | undefined = () => undefined) {
    this.#read = read;
  }

  get(address: string): Fact | undefined {
    const recent = this.#young.get(address);
    if (recent) return recent;
    const fact = this.#old.get(address) ?? this.#read(address);
    if (fact) this.set(fact);
    return fact;
  }

  set(fact: Fact): void {
    if (this.#young.size >= MAX_FACTS) [this.#old, this.#young] = [this.#young, new Map()];
    this.#young.set(fact.address, fact);
  }

  /** Sets a fact and returns whether it differs from the known one. */
  update(fact: Fact): boolean {
    const known = this.get(fact.address);
    if (known && hasSameFields(known, fact)) return false;
    this.set(fact);
    return true;
  }
}

function hasSameFields(a: object, b: object): boolean {
  const names = new Set([...Object.keys(a), ...Object.keys(b)]);
  for (const name of names) {
    const [one, other] = [a, b].map((fact) => (fact as Readonly<Record<string, unknown>>)[name]);
    if (one === other) continue;
    if (typeof one !== "object" || JSON.stringify(one) !== JSON.stringify(other)) return false;
  }
  return true;
}

/** What is known about accounts. Conversions read it and add what transactions say. */
export interface ChainKnowledge {
  readonly accounts: FactMap<AccountFact>;
  readonly programs: FactMap<ProgramFact>;
  readonly tokenAccounts: FactMap<TokenAccountFact>;
  readonly tokens: FactMap<TokenFact>;
  readonly stakeAccounts: FactMap<StakeAccountFact>;
  readonly pools: FactMap<PoolFact>;
}

/** Creates the knowledge of a conversion. @param known where facts are read that were not added */
export const createKnowledge = (known: KnownFacts = {}): ChainKnowledge => ({
  accounts: new FactMap(known.account),
  programs: new FactMap(),
  tokenAccounts: new FactMap(known.tokenAccount),
  tokens: new FactMap(known.token),
  stakeAccounts: new FactMap(known.stakeAccount),
  pools: new FactMap(),
});
