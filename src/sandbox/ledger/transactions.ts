/** Writes transactions as rows. */
import type { DatabaseSync } from "node:sqlite";
import type { DefiFact, InstructionFact, KeyUse, RouteFact, TransactionFact, VoteFact } from "../source/source.ts";
import { jsonOrNull, type LatestBalances } from "./facts.ts";
import { type IdRegistry, SourceError } from "./registry.ts";
import { createTableWriters, type TableWriters } from "./row-writer.ts";
import { firstRow, KEY_FLAGS, ROWS_PER_TRANSACTION, SOL } from "./schema.ts";
import { VOTE_PROGRAM, VOTE_UNITS } from "./votes.ts";

const COLUMN_COUNTS = {
  transactions: 10,
  voters: 3,
  account_keys: 3,
  instruction_kinds: 4,
  instructions: 6,
  transfers: 10,
  balance_changes: 6,
  defi: 11,
  routes: 12,
  prices: 3,
  nft_activities: 9,
} as const;

/** The instruction of compact votes. */
const VOTE_INSTRUCTION = {
  program: VOTE_PROGRAM,
  type: "towersync",
  parsedType: "vote",
} as const;

const flagsOf = ({ signer, writable, lookupTable = false }: KeyUse): number =>
  Number(signer) * KEY_FLAGS.signer +
  Number(writable) * KEY_FLAGS.writable +
  Number(lookupTable) * KEY_FLAGS.lookupTable;

/** Writes transactions and everything that belongs to them. */
export class TransactionWriter {
  readonly #registry: IdRegistry;
  readonly #balances: LatestBalances;
  /** Ids of the identities that have voted. */
  readonly #voters = new Set<number>();
  readonly #tables: TableWriters<keyof typeof COLUMN_COUNTS>;

  constructor(db: DatabaseSync, registry: IdRegistry, balances: LatestBalances) {
    this.#registry = registry;
    this.#balances = balances;
    this.#tables = createTableWriters(db, COLUMN_COUNTS);
  }

  /** Adds the transaction with this id. @throws SourceError when it has more rows of a kind than ids */
  add(id: number, slot: number, transaction: TransactionFact): void {
    const { signature, fee, priorityFee, error = null, vote = false, computeUnits, version = null } = transaction;
    const logs = transaction.logs?.join("\n") ?? null;
    const costs = [fee, priorityFee, error, Number(vote), computeUnits, version, logs];
    this.#tables.transactions.add(id, slot, signature, ...costs);
    const base = firstRow(id);
    this.#addKeys(base, transaction.keys);
    this.#addInstructions(base, transaction.instructions);
    this.#addTransfers(base, transaction);
    const routes = this.#addDefi(base, transaction.defi);
    const { keys, instructions, transfers, changes } = transaction;
    const maxRows = Math.max(keys.length, instructions.length, transfers.length, changes.length, routes);
    if (maxRows > ROWS_PER_TRANSACTION)
      throw new SourceError(`The transaction ${signature} has ${maxRows} rows of a kind.`);
  }

  /** Adds the compact vote with this id. */
  addVote(id: number, slot: number, { identity, account, pre, post }: VoteFact): void {
    const identityId = this.#registry.accountId(identity);
    this.#tables.transactions.add(id, slot, null, Number(pre - post), 0, null, 1, VOTE_UNITS, null, null);
    this.#tables.balance_changes.add(firstRow(id), identityId, identityId, SOL, pre, post);
    this.#balances.set(identityId, SOL, identityId, post);
    if (this.#voters.has(identityId)) return;
    this.#voters.add(identityId);
    this.#tables.voters.add(identityId, this.#registry.accountId(account), this.#instructionKind(VOTE_INSTRUCTION));
  }

  /** Writes the pending rows. */
  flush(): void {
    for (const table of Object.values(this.#tables)) table.flush();
  }

  #addKeys(base: number, keys: readonly KeyUse[]): void {
    const { accountId } = this.#registry;
    keys.forEach((key, n) => {
      this.#tables.account_keys.add(base + n, accountId(key.address), flagsOf(key));
    });
  }

  #addInstructions(base: number, instructions: readonly InstructionFact[]): void {
    const programs: string[] = [];
    instructions.forEach((instruction, n) => {
      const { program, parent, accounts = "", info } = instruction;
      const isFirst = !programs.includes(program);
      if (isFirst) programs.push(program);
      const kind = this.#instructionKind(instruction);
      this.#tables.instructions.add(base + n, kind, parent, accounts, jsonOrNull(info), Number(isFirst));
    });
  }

  #instructionKind({ program, type, parsedType }: Pick<InstructionFact, "program" | "type" | "parsedType">): number {
    const id = this.#registry.accountId(program);
    return this.#registry.instructionKindId(id, type, parsedType, (kind) =>
      this.#tables.instruction_kinds.add(kind, id, type, parsedType),
    );
  }

  #addTransfers(base: number, { transfers, changes, nfts }: TransactionFact): void {
    const { accountId, optionalAccountId } = this.#registry;
    transfers.forEach(({ instruction, type, from, fromAccount, to, toAccount, token, amount, value }, n) => {
      const sides = [accountId(from), optionalAccountId(fromAccount), accountId(to), optionalAccountId(toAccount)];
      this.#tables.transfers.add(base + n, instruction, type, ...sides, accountId(token), amount, value);
    });
    changes.forEach((change, n) => {
      const [holder, owner, token] = [accountId(change.account), accountId(change.owner), accountId(change.token)];
      this.#tables.balance_changes.add(base + n, holder, owner, token, change.pre, change.post);
      this.#balances.set(holder, token, owner, change.post);
    });
    nfts.forEach(({ type, nft, collection, from, to, marketplace, price, currency }, n) => {
      const sides = [
        accountId(nft),
        accountId(collection),
        optionalAccountId(from),
        optionalAccountId(to),
        accountId(marketplace),
      ];
      this.#tables.nft_activities.add(base + n, type, ...sides, price, accountId(currency));
    });
  }

  #addDefi(base: number, activities: readonly DefiFact[]): number {
    const { accountId, optionalAccountId } = this.#registry;
    let routes = 0;
    activities.forEach((activity, n) => {
      const { instruction, type, platform, token1, amount1, token2, amount2 = null, value } = activity;
      const trader = accountId(activity.from);
      const parties = [trader, accountId(activity.to), accountId(platform)];
      this.#tables.defi.add(
        ...[base + n, instruction, type, ...parties],
        ...[accountId(token1), amount1, optionalAccountId(token2), amount2, value],
      );
      const add = (route: RouteFact, parent: number) => {
        const routeIndex = routes++;
        this.#addRoute(base + routeIndex, [n, parent], trader, route);
        for (const child of route.children ?? []) add(child, routeIndex);
      };
      for (const route of activity.routes) add(route, -1);
    });
    return routes;
  }

  #addRoute(id: number, parents: readonly [activity: number, parent: number], trader: number, route: RouteFact): void {
    const { accountId, optionalAccountId } = this.#registry;
    const { pool, program, isTrade, token1, amount1, token2, amount2 = null, value, prices = [] } = route;
    this.#tables.routes.add(
      ...[id, ...parents, accountId(pool), accountId(program), trader, Number(isTrade)],
      ...[accountId(token1), amount1, optionalAccountId(token2), amount2, value],
    );
    for (const [token, price] of prices) this.#tables.prices.add(accountId(token), id, price);
  }
}
