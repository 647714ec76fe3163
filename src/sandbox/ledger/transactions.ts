/** Transactions as rows. */
import type { DatabaseSync } from "node:sqlite";
import type { DefiFact, InstructionFact, KeyUse, RouteFact, TransactionFact } from "../source/source.ts";
import { jsonOrNull, type LatestBalances } from "./facts.ts";
import { kindKey, type Registry, SourceError } from "./registry.ts";
import { type Tables, tablesOf } from "./row-writer.ts";
import { firstRow, KEY_FLAGS, ROWS_PER_TRANSACTION } from "./schema.ts";

const WIDTHS = {
  transactions: 10,
  account_keys: 3,
  instruction_kinds: 4,
  instructions: 4,
  transfers: 10,
  balance_changes: 6,
  defi: 11,
  routes: 12,
  prices: 3,
  nft_activities: 9,
} as const;

const flagsOf = ({ signer, writable, lookupTable = false }: KeyUse): number =>
  Number(signer) * KEY_FLAGS.signer +
  Number(writable) * KEY_FLAGS.writable +
  Number(lookupTable) * KEY_FLAGS.lookupTable;

/** Writes transactions and all that belongs to them. */
export class TransactionWriter {
  readonly #registry: Registry;
  readonly #balances: LatestBalances;
  readonly #tables: Tables<keyof typeof WIDTHS>;

  constructor(db: DatabaseSync, registry: Registry, balances: LatestBalances) {
    this.#registry = registry;
    this.#balances = balances;
    this.#tables = tablesOf(db, WIDTHS);
  }

  /** Takes the transaction with this number. @throws SourceError when it has more rows than it has numbers for */
  add(id: number, slot: number, transaction: TransactionFact): void {
    const { signature, fee, priorityFee, error = null, vote = false, computeUnits, version = null } = transaction;
    const logs = transaction.logs?.join("\n") ?? null;
    const costs = [fee, priorityFee, error, Number(vote), computeUnits, version, logs];
    this.#tables.transactions.add(id, slot, signature, ...costs);
    const base = firstRow(id);
    this.#addKeys(base, transaction.keys);
    this.#addInstructions(base, transaction.instructions);
    this.#addMoves(base, transaction);
    const routes = this.#addDefi(base, transaction.defi);
    const { keys, instructions, transfers, changes } = transaction;
    const most = Math.max(keys.length, instructions.length, transfers.length, changes.length, routes);
    if (most > ROWS_PER_TRANSACTION) throw new SourceError(`The transaction ${signature} has ${most} rows of a kind.`);
  }

  /** Writes what is left. */
  flush(): void {
    for (const table of Object.values(this.#tables)) table.flush();
  }

  #addKeys(base: number, keys: readonly KeyUse[]): void {
    const { account } = this.#registry;
    keys.forEach((key, n) => {
      this.#tables.account_keys.add(base + n, account(key.address), flagsOf(key));
    });
  }

  #addInstructions(base: number, instructions: readonly InstructionFact[]): void {
    instructions.forEach((instruction, n) => {
      const { parent, info } = instruction;
      this.#tables.instructions.add(base + n, this.#kindOf(instruction), parent, jsonOrNull(info));
    });
  }

  #kindOf({ program, type, parsedType }: InstructionFact): number {
    const id = this.#registry.account(program);
    return this.#registry.kind(kindKey(id, type, parsedType), (kind) =>
      this.#tables.instruction_kinds.add(kind, id, type, parsedType),
    );
  }

  #addMoves(base: number, { transfers, changes, nfts }: TransactionFact): void {
    const { account, optional } = this.#registry;
    transfers.forEach(({ instruction, type, from, fromAccount, to, toAccount, token, amount, value }, n) => {
      const sides = [account(from), optional(fromAccount), account(to), optional(toAccount)];
      this.#tables.transfers.add(base + n, instruction, type, ...sides, account(token), amount, value);
    });
    changes.forEach((change, n) => {
      const [holder, owner, token] = [account(change.account), account(change.owner), account(change.token)];
      this.#tables.balance_changes.add(base + n, holder, owner, token, change.pre, change.post);
      this.#balances.set(holder, token, owner, change.post);
    });
    nfts.forEach(({ type, nft, collection, from, to, marketplace, price, currency }, n) => {
      const sides = [account(nft), account(collection), optional(from), optional(to), account(marketplace)];
      this.#tables.nft_activities.add(base + n, type, ...sides, price, account(currency));
    });
  }

  #addDefi(base: number, activities: readonly DefiFact[]): number {
    const { account, optional } = this.#registry;
    let routes = 0;
    activities.forEach((activity, n) => {
      const { instruction, type, platform, token1, amount1, token2, amount2 = null, value } = activity;
      const trader = account(activity.from);
      const who = [trader, account(activity.to), account(platform)];
      this.#tables.defi.add(
        ...[base + n, instruction, type, ...who],
        ...[account(token1), amount1, optional(token2), amount2, value],
      );
      const add = (route: RouteFact, parent: number) => {
        const own = routes++;
        this.#addRoute(base + own, [n, parent], trader, route);
        for (const child of route.children ?? []) add(child, own);
      };
      for (const route of activity.routes) add(route, -1);
    });
    return routes;
  }

  #addRoute(id: number, place: readonly [activity: number, parent: number], trader: number, route: RouteFact): void {
    const { account, optional } = this.#registry;
    const { pool, program, isTrade, token1, amount1, token2, amount2 = null, value, prices = [] } = route;
    this.#tables.routes.add(
      ...[id, ...place, account(pool), account(program), trader, Number(isTrade)],
      ...[account(token1), amount1, optional(token2), amount2, value],
    );
    for (const [token, price] of prices) this.#tables.prices.add(account(token), id, price);
  }
}
