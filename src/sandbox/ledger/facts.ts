/** Writes the facts of a source as rows: accounts, tokens, pools, programs and NFTs. */
import type { DatabaseSync, StatementSync } from "node:sqlite";
import type {
  AccountFact,
  Facts,
  NftFact,
  PoolFact,
  StakeAccountFact,
  TokenAccountFact,
  TokenFact,
} from "../source/source.ts";
import type { IdRegistry } from "./registry.ts";
import { createTableWriters, RowWriter, type TableWriters } from "./row-writer.ts";

/** Ids that were written since the last settlement. */
export interface TouchedIds {
  readonly accounts: Set<number>;
  readonly tokens: Set<number>;
  readonly nfts: Set<number>;
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
  readonly #table: RowWriter;

  constructor(db: DatabaseSync) {
    db.exec(`CREATE TEMP TABLE latest (
      account_id INTEGER, token_id INTEGER, owner_id INTEGER, amount INTEGER, PRIMARY KEY (account_id, token_id)
    ) WITHOUT ROWID`);
    this.#table = new RowWriter(db, "latest", 4);
  }

  /** Sets the balance of an account for a token; arguments are ids. */
  set(accountId: number, token: number, owner: number, amount: bigint): void {
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

  /** Writes the balances to the temporary table `latest`, which the settlement empties. */
  flush(): void {
    for (const [token, accounts] of this.#balances) {
      for (const [accountId, { owner, amount }] of accounts) this.#table.add(accountId, token, owner, amount);
    }
    this.#table.flush();
    this.#balances.clear();
    this.#size = 0;
  }
}

/** Returns the JSON text of a value, or null for undefined. */
export const jsonOrNull = (value: unknown): string | null => (value === undefined ? null : JSON.stringify(value));

const COLUMN_COUNTS = {
  accounts: 6,
  labels: 6,
  token_accounts: 4,
  stake_accounts: 7,
  lookup_entries: 3,
  tokens: 18,
  pools: 10,
  programs: 3,
  platforms: 4,
  nft_collections: 4,
  nfts: 6,
} as const;

/** Writes facts and records the ids that they affect. */
export class FactWriter {
  readonly #registry: IdRegistry;
  readonly #touched: TouchedIds;
  readonly #tables: TableWriters<keyof typeof COLUMN_COUNTS>;
  readonly #selectWithdrawer: StatementSync;

  constructor(db: DatabaseSync, registry: IdRegistry, touched: TouchedIds) {
    this.#registry = registry;
    this.#touched = touched;
    this.#tables = createTableWriters(db, COLUMN_COUNTS);
    this.#selectWithdrawer = db.prepare("SELECT withdrawer_id FROM stake_accounts WHERE account_id = ?");
  }

  /** Adds facts; a fact about a known account or token replaces the earlier one. */
  add(facts: Facts): void {
    this.#addAccounts(facts.accounts ?? []);
    for (const fact of facts.tokens ?? []) this.#addToken(fact);
    for (const fact of facts.tokenAccounts ?? []) this.#addTokenAccount(fact);
    for (const fact of facts.stakeAccounts ?? []) this.#addStakeAccount(fact);
    for (const fact of facts.pools ?? []) this.#addPool(fact);
    for (const fact of facts.nfts ?? []) this.#addNft(fact);
    this.#addDescriptions(facts);
  }

  /** Writes the pending rows. */
  flush(): void {
    for (const table of Object.values(this.#tables)) table.flush();
  }

  #addAccounts(facts: readonly AccountFact[]): void {
    const { accountId, registerAccount } = this.#registry;
    // All ids first: a program may own accounts that precede it in the list.
    for (const fact of facts) registerAccount(fact.address);
    for (const { address, kind, ownerProgram, executable = false, onCurve = true } of facts) {
      const id = accountId(address);
      this.#touched.accounts.add(id);
      this.#tables.accounts.add(id, address, kind, accountId(ownerProgram), Number(executable), Number(onCurve));
    }
  }

  #addToken(fact: TokenFact): void {
    const { accountId, optionalAccountId, transactionId } = this.#registry;
    const id = accountId(fact.address);
    this.#touched.tokens.add(id);
    this.#tables.tokens.add(
      ...[id, fact.kind, fact.name, fact.symbol, fact.icon ?? null, fact.decimals, accountId(fact.program)],
      optionalAccountId(fact.creator),
      fact.created === undefined ? null : transactionId(fact.created),
      fact.firstMint === undefined ? null : transactionId(fact.firstMint),
      ...[optionalAccountId(fact.mintAuthority), optionalAccountId(fact.freezeAuthority)],
      ...[fact.metadataUri ?? null, jsonOrNull(fact.metadata), jsonOrNull(fact.extensions)],
      ...[fact.platform ?? null, fact.reputation, fact.founded ?? null],
    );
  }

  #addTokenAccount({ address, token, owner, closed = false }: TokenAccountFact): void {
    const { accountId } = this.#registry;
    const id = accountId(address);
    this.#touched.accounts.add(id);
    this.#tables.token_accounts.add(id, accountId(token), accountId(owner), Number(closed));
  }

  #addStakeAccount(fact: StakeAccountFact): void {
    const { accountId } = this.#registry;
    const [id, withdrawer] = [accountId(fact.address), accountId(fact.withdrawer)];
    const previousWithdrawer = this.#selectWithdrawer.get(id)?.withdrawer_id;
    for (const accountId of [id, withdrawer, previousWithdrawer])
      if (typeof accountId === "number") this.#touched.accounts.add(accountId);
    const epochs = [fact.activationEpoch, fact.deactivationEpoch ?? null];
    this.#tables.stake_accounts.add(
      ...[id, accountId(fact.staker), withdrawer, accountId(fact.voter)],
      ...[fact.delegated, ...epochs],
    );
  }

  #addPool(fact: PoolFact): void {
    const { accountId, optionalAccountId, transactionId } = this.#registry;
    const { address, program, token1, token2, vault1, vault2, creator } = fact;
    this.#tables.pools.add(
      ...[address, program, token1, token2, vault1, vault2, creator].map(accountId),
      ...[transactionId(fact.created), optionalAccountId(fact.lp), fact.feeBps],
    );
  }

  #addNft(fact: NftFact): void {
    const { accountId, transactionId } = this.#registry;
    const id = accountId(fact.address);
    this.#touched.nfts.add(id);
    const [data, meta] = [JSON.stringify(fact.data), JSON.stringify(fact.meta)];
    this.#tables.nfts.add(id, accountId(fact.collection), fact.number, data, meta, transactionId(fact.minted));
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
