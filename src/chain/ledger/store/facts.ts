/** Writes the facts of a source as rows: accounts, tokens, pools, programs and NFTs. */
import type { DatabaseSync, SQLOutputValue, StatementSync } from "node:sqlite";
import type {
  AccountFact,
  Facts,
  NftFact,
  PoolFact,
  StakeAccountFact,
  TokenAccountFact,
  TokenFact,
} from "../source/source.ts";
import { storedAmount } from "./amounts.ts";
import type { IdRegistry, UnknownSubjects } from "./registry.ts";
import { RowWriter, type TableWriters } from "./row-writer.ts";
import { columnNames, SOL } from "./schema.ts";

/** Ids that were written since the last settlement. */
export interface TouchedIds {
  readonly accounts: Set<number>;
  readonly tokens: Set<number>;
  readonly nfts: Set<number>;
  /** Tokens with an opening supply. */
  readonly openings: Set<number>;
}

/** The number of balances in memory; more are written to the temporary table. */
const MAX_BALANCES = 40_000;

interface LatestBalance {
  owner: number;
  amount: bigint;
}

/** The latest balance of each account and token that transactions or rewards have changed. */
export class LatestBalances {
  /** By the ids of the token and the account. */
  readonly #balances = new Map<number, Map<number, LatestBalance>>();
  #size = 0;
  /** By account, as transactions have said them last. */
  readonly #lamports = new Map<number, bigint>();
  readonly #table: RowWriter;

  constructor(db: DatabaseSync) {
    db.exec(`CREATE TEMP TABLE latest (
      account_id INTEGER, token_id INTEGER, owner_id INTEGER, amount ANY, PRIMARY KEY (account_id, token_id)
    ) STRICT, WITHOUT ROWID`);
    this.#table = new RowWriter(db, "latest", 4);
  }

  set(accountId: number, token: number, owner: number, amount: bigint): void {
    if (token === SOL && this.#lamports.size > 0) this.#lamports.set(accountId, amount);
    let accounts = this.#balances.get(token);
    if (!accounts) {
      accounts = new Map();
      this.#balances.set(token, accounts);
    }
    const balance = accounts.get(accountId);
    if (balance) {
      balance.owner = owner;
      balance.amount = amount;
      return;
    }
    accounts.set(accountId, { owner, amount });
    this.#size++;
    if (this.#size >= MAX_BALANCES) this.flush();
  }

  /** Sets the lamports of an account that a transaction does not change, unless they are those that were set before. */
  setUnchanged(accountId: number, lamports: bigint): void {
    if (this.#lamports.get(accountId) === lamports) return;
    if (this.#lamports.size >= MAX_BALANCES) this.#lamports.clear();
    this.#lamports.set(accountId, lamports);
    this.set(accountId, SOL, accountId, lamports);
  }

  /** Whether a balance was set since the last settlement and is still in memory. */
  has(accountId: number, token: number): boolean {
    return this.#balances.get(token)?.has(accountId) ?? false;
  }

  /** Writes the balances to the temporary table `latest`, which the settlement empties. */
  flush(): void {
    for (const [token, accounts] of this.#balances) {
      for (const [accountId, { owner, amount }] of accounts)
        this.#table.add(accountId, token, owner, storedAmount(amount));
    }
    this.#table.flush();
    this.#balances.clear();
    this.#size = 0;
  }
}

/** Returns the JSON text of a value, or null for undefined. */
export const jsonOrNull = (value: unknown): string | null => (value === undefined ? null : JSON.stringify(value));

/** What facts are written with. */
export interface FactWriterOptions {
  readonly db: DatabaseSync;
  readonly tables: TableWriters;
  readonly registry: IdRegistry;
  readonly touched: TouchedIds;
  readonly balances: LatestBalances;
  /** See {@link BlockSource.isChain}. */
  readonly isChain: boolean;
}

/** The columns of `tokens`, in order, from the third. */
const TOKEN_COLUMNS = columnNames("tokens").slice(2);

/** Writes facts and records the ids that they affect. */
export class FactWriter {
  readonly #registry: IdRegistry;
  readonly #touched: TouchedIds;
  readonly #balances: LatestBalances;
  readonly #isChain: boolean;
  readonly #tables: TableWriters;
  readonly #withdrawerQuery: StatementSync;
  readonly #tokenQuery: StatementSync;
  readonly #balanceQuery: StatementSync;

  constructor({ db, tables, registry, touched, balances, isChain }: FactWriterOptions) {
    this.#tables = tables;
    this.#registry = registry;
    this.#touched = touched;
    this.#balances = balances;
    this.#isChain = isChain;
    this.#withdrawerQuery = db.prepare("SELECT withdrawer_id FROM stake_accounts WHERE account_id = ?");
    this.#tokenQuery = db.prepare("SELECT * FROM tokens WHERE id = ?");
    this.#balanceQuery = db.prepare(
      "SELECT 1 FROM balances WHERE account_id = ? AND token_id = ? UNION ALL SELECT 1 FROM latest WHERE account_id = ? AND token_id = ?",
    );
  }

  /**
   * Adds facts; a fact about a known account or token replaces the earlier one. In ledgers of a chain, facts about a
   * token add to the earlier ones.
   */
  add(facts: Facts): void {
    this.#addAccounts(facts.accounts ?? []);
    for (const fact of facts.tokens ?? []) this.#addToken(fact);
    for (const fact of facts.tokenAccounts ?? []) this.#addTokenAccount(fact);
    for (const fact of facts.stakeAccounts ?? []) this.#addStakeAccount(fact);
    for (const fact of facts.pools ?? []) this.#addPool(fact);
    for (const fact of facts.nfts ?? []) this.#addNft(fact);
    const { accountId } = this.#registry;
    facts.voters?.forEach(({ identity, account, share }, n) => {
      this.#tables.voters.add(n, accountId(identity), accountId(account), share);
    });
    this.#addDescriptions(facts);
    this.#addOpenings(facts);
  }

  /** Adds accounts, tokens and token accounts of which nothing is known. */
  readonly unknown: UnknownSubjects = {
    addAccount: (id, address) => {
      this.#touched.accounts.add(id);
      this.#tables.accounts.add(id, address, "unknown", null, 0, null, null);
    },
    addToken: (id) => {
      this.#touched.tokens.add(id);
      this.#tables.tokens.add(id, "fungible", ...TOKEN_COLUMNS.map(() => null));
    },
    addTokenAccount: (id, token, owner) => {
      this.#touched.accounts.add(id);
      this.#tables.token_accounts.add(id, token, owner, 0, null);
    },
  };

  #addAccounts(facts: readonly AccountFact[]): void {
    const { accountId, optionalAccountId, registerAccount } = this.#registry;
    // All ids first: a program may own accounts that precede it in the list.
    for (const fact of facts) registerAccount(fact.address);
    const curve = this.#isChain ? null : 1;
    for (const { address, kind, ownerProgram, executable = false, onCurve, subject } of facts) {
      const id = accountId(address);
      this.#touched.accounts.add(id);
      const owner = optionalAccountId(ownerProgram);
      this.#tables.accounts.add(
        ...[id, address, kind, owner, Number(executable), onCurve === undefined ? curve : Number(onCurve)],
        optionalAccountId(subject),
      );
    }
  }

  #addToken(fact: TokenFact): void {
    const { accountId, optionalAccountId, transactionId, addDescribed } = this.#registry;
    const id = accountId(fact.address);
    const known = this.#knownToken(id);
    addDescribed("tokens", id);
    this.#touched.tokens.add(id);
    const account = (address: string | null | undefined) => (address == null ? address : optionalAccountId(address));
    const transaction = (signature: string | undefined) =>
      signature === undefined ? undefined : transactionId(signature);
    const json = (value: unknown) => (value === undefined ? undefined : JSON.stringify(value));
    const columns = [
      ...[fact.name, fact.symbol, fact.icon, fact.decimals, account(fact.program), account(fact.creator)],
      ...[transaction(fact.created), transaction(fact.firstMint)],
      ...[account(fact.mintAuthority), account(fact.freezeAuthority), fact.metadataUri],
      ...[json(fact.metadata), json(fact.extensions), fact.platform, fact.reputation, fact.founded],
    ];
    const values = columns.map((value, n) =>
      value === undefined ? (known[TOKEN_COLUMNS[n] as string] ?? null) : value,
    );
    this.#tables.tokens.add(id, fact.kind, ...values);
  }

  #knownToken(id: number): Readonly<Record<string, SQLOutputValue>> {
    if (!this.#isChain || !this.#registry.isDescribed("tokens", id)) return {};
    this.#tables.tokens.flush();
    return this.#tokenQuery.get(id) ?? {};
  }

  #addTokenAccount({ address, token, owner, closed = false, withheld }: TokenAccountFact): void {
    const { accountId, tokenId, addDescribed } = this.#registry;
    const id = accountId(address);
    addDescribed("token_accounts", id);
    this.#touched.accounts.add(id);
    const fees = withheld === undefined ? null : storedAmount(withheld);
    this.#tables.token_accounts.add(id, tokenId(token), accountId(owner), Number(closed), fees);
  }

  #addStakeAccount(fact: StakeAccountFact): void {
    const { accountId, optionalAccountId } = this.#registry;
    const [id, withdrawer] = [accountId(fact.address), accountId(fact.withdrawer)];
    const previousWithdrawer = this.#withdrawerQuery.get(id)?.withdrawer_id;
    for (const accountId of [id, withdrawer, previousWithdrawer])
      if (typeof accountId === "number") this.#touched.accounts.add(accountId);
    const epochs = [fact.activationEpoch, fact.deactivationEpoch ?? null];
    this.#tables.stake_accounts.add(
      ...[id, accountId(fact.staker), withdrawer, optionalAccountId(fact.voter)],
      ...[fact.delegated, ...epochs],
    );
  }

  #addPool(fact: PoolFact): void {
    const { accountId, tokenId, optionalAccountId, transactionId } = this.#registry;
    const id = accountId(fact.address);
    this.#touched.accounts.add(id);
    this.#tables.pools.add(
      ...[id, accountId(fact.program), tokenId(fact.token1), tokenId(fact.token2)],
      ...[accountId(fact.vault1), accountId(fact.vault2), optionalAccountId(fact.creator)],
      fact.created === undefined ? null : transactionId(fact.created),
      ...[optionalAccountId(fact.lp), fact.feeBps ?? null],
    );
  }

  /** A balance that the ledger already knows is newer than the opening. */
  #addOpenings({ openingBalances = [], openingSupplies = [] }: Facts): void {
    const { accountId, tokenId, requireTokenAccount } = this.#registry;
    for (const { account, owner = account, token, amount } of openingBalances) {
      const [id, ownerId, tokenNumber] = [accountId(account), accountId(owner), tokenId(token)];
      this.#tables.opening_balances.add(id, tokenNumber, ownerId, storedAmount(amount));
      if (tokenNumber !== SOL) requireTokenAccount(id, tokenNumber, ownerId);
      if (this.#balances.has(id, tokenNumber) || this.#balanceQuery.get(id, tokenNumber, id, tokenNumber)) continue;
      this.#balances.set(id, tokenNumber, ownerId, amount);
    }
    for (const { token, amount, allBalances = false } of openingSupplies) {
      const id = tokenId(token);
      this.#touched.openings.add(id);
      this.#touched.tokens.add(id);
      this.#tables.opening_supplies.add(id, storedAmount(amount), Number(allBalances));
    }
  }

  #addNft(fact: NftFact): void {
    const { accountId, transactionId } = this.#registry;
    const id = accountId(fact.address);
    this.#touched.nfts.add(id);
    const [data, meta] = [JSON.stringify(fact.data), jsonOrNull(fact.meta)];
    const minted = fact.minted === undefined ? null : transactionId(fact.minted);
    this.#tables.nfts.add(id, accountId(fact.collection), fact.number, data, meta, minted);
  }

  #addDescriptions(facts: Facts): void {
    const { accountId } = this.#registry;
    const { labels, programs, platforms, nft_collections, lookup_entries } = this.#tables;
    for (const { address, table, position } of facts.lookupEntries ?? []) {
      lookup_entries.add(accountId(address), accountId(table), position);
    }
    for (const { address, label, icon, tags, type, domain } of facts.labels ?? []) {
      labels.add(accountId(address), label ?? null, icon ?? null, jsonOrNull(tags), type ?? null, domain ?? null);
    }
    for (const { address, name, platform } of facts.programs ?? []) {
      programs.add(accountId(address), name, platform ?? null);
    }
    for (const { id, name, website, description } of facts.platforms ?? []) {
      platforms.add(id, name, website, description);
    }
    for (const { address, hex, name, symbol } of facts.nftCollections ?? []) {
      nft_collections.add(accountId(address), hex, name, symbol);
    }
  }
}
